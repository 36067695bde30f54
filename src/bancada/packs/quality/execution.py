"""The tool that runs Python the model wrote, in the jail only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from bancada import JSONObject, Result, Services, Tool, ToolContext, tool

SECONDS = 30
MAX_OUTPUT = 5_000
MAX_ERROR = 2_000
MAX_CODE = 100_000
CUT = "O output foi cortado aos {} caracteres; faltam {}. Imprima só o que precisa."
TIMEOUT = f"Timeout: a execução excedeu {SECONDS} segundos."


def execution_tools(services: Services) -> Sequence[Tool]:
    """The tool; without a jail it is switched off, with the reason."""
    missing = services.jail.missing

    @tool(
        category="code",
        permission_level="responsavel",
        # Our own clock ends the run; the gate's is only there in case the jail does not answer.
        timeout=SECONDS + 15,
        outside_content=True,  # code reads the conversation's uploads
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

    return (executar_python,)
