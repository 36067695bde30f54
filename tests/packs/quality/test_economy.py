"""The sessions of the token benchmark: what is deterministic in them is held here."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.shared import bench


@pytest.fixture(scope="module")
def economy() -> ModuleType:
    return bench("economy")


@pytest.fixture
async def shop(economy: ModuleType, tmp_path: Path) -> Any:
    shop = economy.Shop(tmp_path)
    await shop.open()
    return shop


async def test_an_upload_session_costs_a_tenth_of_the_guides_once_its_agent_is_known(
    economy: ModuleType, shop: Any
) -> None:
    session = next(one for one in economy.SESSIONS if one.upload)
    found = await economy.bills(session, shop)
    guide, bare = found["guide's way"], found["guide's, bare"]
    first, following = found["ours, first"], found["ours, next"]
    assert following.usd <= guide.usd / 10
    assert first.usd <= guide.usd / 7
    for ours in (first, following):
        assert ours.read <= guide.read / 10
        assert ours.read <= bare.read / 5
        assert ours.sent < guide.sent


async def test_every_request_begins_with_the_one_before(economy: ModuleType, shop: Any) -> None:
    """A byte that changes early is paid for again with all that follows it."""

    class Watching(economy.Provider):  # type: ignore[misc, name-defined]
        def receive(self, body: dict[str, Any]) -> None:
            blocks = [text for text, _ in economy._blocks(body)]
            assert blocks[: len(seen)] == seen
            seen[:] = blocks
            super().receive(body)

    for session in economy.SESSIONS:
        seen: list[str] = []
        talk = economy.Ours(shop, Watching())
        if session.upload:
            talk.upload()
        for number, question in enumerate(session.questions):
            await talk.ask(question, f"t{number}")
        assert seen


async def test_the_summary_goes_out_once_and_the_hundred_rows_never(
    economy: ModuleType, shop: Any
) -> None:
    assert "Dados completos (primeiras 100 linhas)" in shop.hundred_rows
    assert "Dados completos" not in shop.summary
    assert len(shop.summary) * 3 < len(shop.hundred_rows)


def test_a_cache_too_short_to_keep_is_not_counted(economy: ModuleType) -> None:
    provider = economy.Provider()
    mark = {"cache_control": {"type": "ephemeral"}}
    body = {
        "system": [{"type": "text", "text": "x" * 300, **mark}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "y", **mark}]}],
    }
    provider.receive(body)
    first = provider.bill.read
    provider.receive(body)
    assert first > 300
    assert provider.bill.read == 2 * first
    assert provider.kept == set()


def test_what_was_cached_is_read_once_and_written_once(economy: ModuleType) -> None:
    provider = economy.Provider()
    mark = {"cache_control": {"type": "ephemeral"}}
    body = {
        "system": [{"type": "text", "text": "x" * 9000, **mark}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "y", **mark}]}],
    }
    provider.receive(body)
    first = provider.bill.read
    provider.receive(body)
    assert provider.bill.read == first
    longer = {
        **body,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "z", **mark}]}],
    }
    provider.receive(longer)
    assert 0 < provider.bill.read - first < 100
