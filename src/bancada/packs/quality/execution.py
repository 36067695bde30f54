"""Tools that run what the model wrote: Python, and SQL over data sets. Both only in the jail."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from pydantic import Field

from bancada import JSONObject, Result, Services, Tool, ToolContext, tool
from bancada.packs.quality.arguments import READ

SECONDS = 30
MAX_OUTPUT = 5_000
MAX_ERROR = 2_000
MAX_CODE = 100_000
CUT = "O output foi cortado aos {} caracteres; faltam {}. Imprima só o que precisa."
TIMEOUT = f"Timeout: a execução excedeu {SECONDS} segundos."


def execution_tools(
    services: Services, *, tables: Mapping[str, Path], about: str
) -> Sequence[Tool]:
    """The tools. `tables` are the pack's own, as they are at the time of a query; `about` says what
    columns they have, so that the model need not ask first."""
    missing = services.jail.missing

    @tool(
        category="code",
        permission_level="responsavel",
        # Our own clock ends the run; the gate's is only there in case the jail does not answer.
        timeout=SECONDS + 15,
        switched_off=f"executar_python está desligado nesta máquina: {missing}"
        if missing
        else None,
    )
    async def executar_python(
        context: ToolContext,
        codigo: Annotated[str, Field(min_length=1, max_length=MAX_CODE)],
        descricao: str = "",
    ) -> Result:
        """Executa código Python (com pandas e numpy) numa sandbox e devolve o que imprime. Sem rede nem ficheiros da máquina.

        Args:
            descricao: O que o código faz, numa frase.
        """
        run = await services.jail.python(codigo, context=context, seconds=SECONDS)
        output = run.stdout[:MAX_OUTPUT]
        left = len(run.stdout) - len(output)
        cut: JSONObject = {"nota": CUT.format(MAX_OUTPUT, left)} if left else {}
        files: JSONObject = {"ficheiros": list(run.files)} if run.files else {}
        if run.timed_out:
            return Result(value={"erro": TIMEOUT}, is_error=True)
        if run.return_code != 0:
            failed = run.stderr[-MAX_ERROR:].strip() or f"O código terminou com {run.return_code}."
            said = {"output": output} if output else {}
            return Result(value={"erro": failed, **said, **cut, **files}, is_error=True)
        return Result(value={"output": output, "sucesso": True, **cut, **files})

    @tool(
        allowed_callers=READ,
        switched_off=f"consultar_dados está desligado nesta máquina: {missing}"
        if missing
        else None,
    )
    async def consultar_dados(
        context: ToolContext, sql: Annotated[str, Field(min_length=1, max_length=MAX_CODE)]
    ) -> JSONObject:
        """Consulta SQL só de leitura (DuckDB, um SELECT) sobre os ficheiros carregados na conversa.

        Args:
            sql: Agregue no SQL: vêm no máximo 200 linhas.
        """
        ours = await asyncio.to_thread(dict, tables)
        return await services.datasets.query(context, sql, tables=ours, limit=200)

    described = f"{consultar_dados.description} {about}".strip()
    return executar_python, replace(consultar_dados, description=described)
