"""SQL over tables: the conversation's files and those that packs bring. Only in the jail."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bancada import JSONObject, Services, Tool, ToolContext, tool
from bancada.packs.tables.arguments import READ

MAX_SQL = 100_000


def query_tool(services: Services) -> Tool:
    """The tool; without a jail it is switched off, with the reason."""
    missing = services.jail.missing

    @tool(
        allowed_callers=READ,
        outside_content=True,
        reads_files=True,
        switched_off=f"consultar_dados está desligado nesta máquina: {missing}"
        if missing
        else None,
    )
    async def consultar_dados(
        context: ToolContext, sql: Annotated[str, Field(min_length=1, max_length=MAX_SQL)]
    ) -> JSONObject:
        """Consulta SQL só de leitura (DuckDB, um SELECT) sobre os ficheiros carregados na conversa.

        Args:
            sql: Agregue no SQL: vêm no máximo 200 linhas.
        """
        return await services.datasets.query(context, sql, limit=200)

    return consultar_dados
