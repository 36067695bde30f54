"""A board as its owner lays it out: its name, where its tiles stand, texts between them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bancada.domain.errors import Invalid, NotFound
from bancada.domain.json import JSONObject
from bancada.store.dashboards import DashboardRow

TEXT_CHARS = 20_000


@dataclass(frozen=True, kw_only=True)
class TileChange:
    """One tile: where it stands, what it says. Without an id it is a new text."""

    id: str | None = None
    place: JSONObject | None = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class Arrangement:
    """What changes of a board. What is not named stays: another page may have pinned to it since."""

    titulo: str | None = None
    tiles: Sequence[TileChange] = ()
    removed: frozenset[str] = frozenset()
    beside: tuple[tuple[str, Any], ...] = ()
    """Columns of its row that are given anew: `filter`, `refresh_minutes`."""


def arranged(row: DashboardRow, change: Arrangement) -> dict[str, Any]:
    """The columns of its row that the change gives anew."""
    changes: dict[str, Any] = dict(change.beside)
    if change.titulo is not None:
        changes["titulo"] = change.titulo
    if change.tiles or change.removed:
        if row.html is not None:
            raise Invalid("dashboard_is_page")
        changes["items"] = _tiles(row.items, change)
    return changes


def text_tile(data: JSONObject) -> JSONObject:
    """A text as it may be kept."""
    text = data.get("text")
    if not isinstance(text, str) or not text.strip() or len(text) > TEXT_CHARS:
        raise Invalid("text_empty", most=TEXT_CHARS)
    return {"widget": "text", "text": text}


def _tiles(items: Sequence[JSONObject], change: Arrangement) -> list[JSONObject]:
    known = {item["id"]: item for item in items}
    if (change.removed | {tile.id for tile in change.tiles if tile.id is not None}) - set(known):
        raise NotFound("no_tile")
    for tile in change.tiles:
        if tile.id is None:
            made = _new_text(tile)
            known[made["id"]] = made
        else:
            known[tile.id] = _changed(known[tile.id], tile)
    return [item for id, item in known.items() if id not in change.removed]


def _new_text(tile: TileChange) -> JSONObject:
    return {
        "id": secrets.token_hex(4),
        "type": "text",
        "data": text_tile({"text": tile.text}),
        "call": None,
        "refreshed_at": time.time(),
        "error": None,
        "place": tile.place,
    }


def _changed(item: JSONObject, tile: TileChange) -> JSONObject:
    changed = dict(item)
    if tile.place is not None:
        changed["place"] = tile.place
    if tile.text is not None:
        if item["type"] != "text":
            raise Invalid("tile_not_text")
        changed["data"] = text_tile({"text": tile.text})
    return changed
