"""Real traffic through the gateway: where we add nothing, it comes out as it was recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.gateway.counter import Counter
from tests.server.site import served
from tests.shared import SHARED, needs_shared, shared_tool

pytestmark = needs_shared


def plain() -> list[Path]:
    """Recordings of requests that ask for no code of ours."""
    found = sorted((SHARED / "recordings").glob("*/*.yaml")) if SHARED.is_dir() else []
    return [path for path in found if not _asks_for_code(path)]


def _asks_for_code(path: Path) -> bool:
    pairs = shared_tool("replay_upstream").load(str(path))
    bodies = [pair.request for pair in pairs if isinstance(pair.request, dict)]
    return any(
        str(tool.get("type", "")).startswith("code_execution_") or "allowed_callers" in tool
        for body in bodies
        for tool in body.get("tools") or ()
    )


@pytest.mark.parametrize("path", plain(), ids=lambda path: path.stem)
async def test_a_recording_comes_out_as_it_was(folder: Path, path: Path) -> None:
    replay = shared_tool("replay_upstream")
    with replay.ReplayUpstream(str(path)) as behind:
        async with served(folder, anthropic_base_url=behind.url) as site:
            _, key = await Counter(site, None).key()  # type: ignore[arg-type]
            client = site.client(**{"x-api-key": key})
            for number, pair in enumerate(behind.pairs):
                where = f"{pair.path}?{pair.query}" if pair.query else pair.path
                answer = await client.request(pair.method, where, json=pair.request)

                assert answer.status_code == pair.status
                _same(answer, pair)
                assert behind.received[number].json == pair.request
        assert behind.errors == []


def _same(answer: Any, pair: Any) -> None:
    if pair.is_sse:
        replay = shared_tool("replay_upstream")
        assert replay.parse_sse(answer.text) == pair.events
    else:
        assert answer.json() == pair.json
