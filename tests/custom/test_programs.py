"""Python tools: in the sandbox, fresh each time, with nothing but their arguments."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bancada.sandbox import Sandbox, probe, start_sandbox
from tests.custom.workshop import Workshop, parameter
from tests.house import House

pytestmark = pytest.mark.skipif(
    not any(report.available for report in probe()), reason="no sandbox on this machine"
)


@dataclass
class Sandboxes:
    started: Sandbox
    missing: str | None = None

    async def sandbox(self) -> Sandbox:
        return self.started


@pytest.fixture
async def shop(tmp_path: Path, sqlite_house: House) -> AsyncIterator[Workshop]:
    sandbox = await start_sandbox(tmp_path / "run", max_containers=2, idle_seconds=60)
    yield Workshop(sqlite_house, sandboxes=Sandboxes(sandbox))
    await sandbox.close()


async def test_arguments_go_in_and_the_result_comes_out(shop: Workshop) -> None:
    await shop.define(
        "mean",
        "python",
        {"code": "import statistics\nresult = {'mean': statistics.mean(input['numbers'])}"},
        parameter("numbers", "array", constraints={"items": {"type": "number"}}),
    )
    assert (await shop.house.result("mean", {"numbers": [1, 2, 6]})).value == {"mean": 3}


async def test_nothing_of_one_call_is_there_in_the_next(shop: Workshop) -> None:
    code = (
        "import builtins\nresult = getattr(builtins, 'left', 0)\nbuiltins.left = input['n']\n"
        "open('left', 'a').write('x')\nresult = [result, len(open('left').read())]"
    )
    await shop.define("leave", "python", {"code": code}, parameter("n", "integer"))
    for n in (1, 2):
        assert (await shop.house.result("leave", {"n": n})).value == [0, 1]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("result = 1 / 0", "ZeroDivisionError"),
        ("result = object()", "failed"),
        ("while True: result = 1", "longer than"),
        ("result = 'x' * 9_000_000", "ResultTooLarge"),
        ("result = bytearray(10**10)", "memory|MemoryError"),
        ("import socket\nresult = str(socket.create_connection(('1.1.1.1', 80)))", "failed"),
        ("result = open('/etc/shadow').read()", "failed"),
        ("import os\nresult = 1\nos._exit(0)", "memory|failed|ended"),
    ],
)
async def test_what_goes_wrong_is_told_and_stays_inside(
    shop: Workshop, code: str, why: str
) -> None:
    await shop.define("bad", "python", {"code": code, "timeout": 2})
    got = await shop.house.result("bad")
    assert got.is_error
    assert any(word in str(got.content) for word in why.split("|")), got.content


async def test_a_program_may_draw(shop: Workshop) -> None:
    code = (
        "import base64, io\nimport matplotlib.pyplot as plt\n"
        "plt.plot([1, 3, 2]); drawn = io.BytesIO(); plt.savefig(drawn, format='png')\n"
        "data = base64.b64encode(drawn.getvalue()).decode()\n"
        "source = {'type': 'base64', 'media_type': 'image/png', 'data': data}\n"
        "result = {'type': 'image', 'source': source}\n"
    )
    await shop.define("draw", "python", {"code": code})
    await shop.define(
        "count", "python", {"code": "result = {'widget': 'kpi', 'titulo': 'Lotes', 'valor': 3}"}
    )

    (block,) = (await shop.house.result("draw")).content
    assert block["type"] == "image"  # type: ignore[index]
    (widget,) = (await shop.house.result("count")).widgets
    assert widget.data["valor"] == 3
