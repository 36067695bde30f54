"""The gateway as its users have it: `bancada serve`, a process of its own, killed and started again."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import anthropic
import pytest
from anthropic import AsyncAnthropic

from tests.gateway.test_code import SUM, converse
from tests.gateway.vendor import Vendor, calls, runs, says, vendor
from tests.server.process import run_bancada, serving

pytestmark = pytest.mark.filterwarnings("error::UserWarning")


class Lives:
    """A server that is killed as a power cut would, and started again over the same folder."""

    def __init__(self, folder: Path, behind: Vendor, key: str) -> None:
        self.folder, self.behind, self.key = folder, behind, key
        self._opened = AsyncExitStack()

    async def again(self) -> AsyncAnthropic:
        await self.close()
        env = {"ANTHROPIC_BASE_URL": self.behind.address}
        server = await self._opened.enter_async_context(serving(self.folder, env=env))
        client = AsyncAnthropic(api_key=self.key, base_url=server.address, max_retries=0)
        return await self._opened.enter_async_context(client)

    async def close(self) -> None:
        await self._opened.aclose()


async def lives(folder: Path, behind: Vendor) -> Lives:
    data = str(folder / "data")
    status, said = await run_bancada(
        "keys", "add", "--user", "rui@demo.com", "--data", data, "--demo"
    )
    assert status == 0, said
    return Lives(folder, behind, said.split()[-1])


async def test_plain_streamed_and_run_by_the_runner(folder: Path) -> None:
    answers = [
        says("Um."),
        says("Um dois"),
        says(calls("soma", "toolu_1", a=2, b=3)),
        says("Cinco."),
    ]
    async with vendor(*answers) as behind:
        server = await lives(folder, behind)
        client = await server.again()
        ask: dict[str, Any] = {
            "model": "claude-sonnet-5-5",
            "max_tokens": 100,
            "messages": [{"role": "user", "content": "Quantos?"}],
        }

        @anthropic.beta_async_tool
        async def soma(a: int, b: int) -> str:
            """Add."""
            return str(a + b)

        try:
            plain = await client.messages.create(**ask)
            async with client.messages.stream(**ask) as stream:
                pieces = [piece async for piece in stream.text_stream]
            last = await client.beta.messages.tool_runner(**ask, tools=[soma]).until_done()
        finally:
            await server.close()

        assert plain.content[0].text == "Um."
        assert pieces == ["Um", " dois"]
        assert last.content[0].text == "Cinco."


@pytest.mark.parametrize("stream", [False, True])
async def test_code_goes_on_although_the_server_was_killed_between_its_calls(
    folder: Path, stream: bool
) -> None:
    async with vendor(says(runs(SUM)), says("Ao todo 30.")) as behind:
        server = await lives(folder, behind)
        try:
            said = await converse(
                await server.again(),
                lambda name, input: {"N": "10", "S": "20"}[input["region"]],
                stream=stream,
                between=server.again,
            )
        finally:
            await server.close()

        assert len(said) == 3
        assert len({message.container.id for message in said}) == 1
        assert said[-1].content[0].content.stdout == "30\n"
