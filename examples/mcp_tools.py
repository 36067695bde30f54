"""An MCP client: the tools that its person may use here, and a call of one."""

from __future__ import annotations

import asyncio

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from house import URL, make_key, sign_in


async def main() -> None:
    key = {"x-api-key": make_key(sign_in(), "mcp")}
    async with (
        httpx2.AsyncClient(headers=key, timeout=30) as http,
        Client(streamable_http_client(f"{URL}/mcp", http_client=http)) as client,
    ):
        for tool in (await client.list_tools()).tools:
            print(tool.name, "—", (tool.description or "").split("\n")[0])
        answer = await client.call_tool("contar_defeitos", {"tipo_defeito": "lixo"})
        print(*(part.text for part in answer.content if part.type == "text"))


if __name__ == "__main__":
    asyncio.run(main())
