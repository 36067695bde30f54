"""Dashboards as they go in and out of the routes."""

from __future__ import annotations

from collections.abc import Container
from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Discriminator, Field, StringConstraints, Tag, model_validator

from bancada.dashboards import Arrangement, BoardFilter, TileChange
from bancada.dashboards.arranging import TEXT_CHARS
from bancada.domain.json import JSONObject
from bancada.domain.people import Language
from bancada.domain.shapes import JSONMap, Shape
from bancada.domain.wording import Wording
from bancada.server.shapes import EventName, Moment, Out
from bancada.store.dashboards import DashboardRow

COLUMNS = 12
"""How many columns a board has."""


class TilePlace(Shape):
    """Where a tile stands, in columns of twelve and in rows."""

    x: Annotated[int, Field(ge=0, le=COLUMNS - 1)]
    y: Annotated[int, Field(ge=0, le=10_000)]
    w: Annotated[int, Field(ge=1, le=COLUMNS)]
    h: Annotated[int, Field(ge=1, le=100)]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.x + self.w > COLUMNS:
            raise ValueError(f"x and w together are more than {COLUMNS}")
        return self


ColumnName = Annotated[str, StringConstraints(min_length=1, max_length=200)]


Day = Annotated[date, Field(strict=False)]
"""`2026-02-11`: a body's text, though other shapes take no text for anything else."""


class FilterShape(Shape):
    """What a board is filtered by: some days, both ends included, and some values of one column."""

    since: Day | None = None
    until: Day | None = None
    dates: ColumnName | None = None
    """The column that has the days; none: a table's only one."""
    column: ColumnName | None = None
    values: Annotated[
        list[Annotated[str, StringConstraints(max_length=500)] | None], Field(max_length=100)
    ] = Field(default_factory=list)
    """Null is an empty cell."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.since and self.until and self.since > self.until:
            raise ValueError("since is after until")
        return self

    def as_filter(self) -> BoardFilter:
        return BoardFilter(
            since=self.since,
            until=self.until,
            dates=self.dates,
            column=self.column,
            values=tuple(self.values),
        )


class TileIn(Shape):
    """A tile to move, or whose words change; without an id, a new text."""

    id: Annotated[str, StringConstraints(max_length=40)] | None = None
    place: TilePlace | None = None
    text: Annotated[str, StringConstraints(max_length=TEXT_CHARS)] | None = None


class BoardChange(Shape):
    """What changes of a dashboard; what is not named stays."""

    titulo: (
        Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
        | None
    ) = None
    items: Annotated[list[TileIn], Field(max_length=60)] = Field(default_factory=list)
    removed: Annotated[
        list[Annotated[str, StringConstraints(max_length=40)]], Field(max_length=60)
    ] = Field(default_factory=list)
    """Tiles to take off, by id."""
    filter: FilterShape | None = None
    """Null takes the filter off. The next refresh draws by it."""
    refresh_minutes: Annotated[int, Field(ge=1, le=1440)] | None = None
    """Null: only when asked to."""

    def as_arrangement(self) -> Arrangement:
        beside: dict[str, Any] = {}
        if "filter" in self.model_fields_set:
            beside["filter"] = None if self.filter is None else self.filter.as_filter().as_json()
        if "refresh_minutes" in self.model_fields_set:
            beside["refresh_minutes"] = self.refresh_minutes
        return Arrangement(
            titulo=self.titulo,
            tiles=[
                TileChange(
                    id=one.id,
                    text=one.text,
                    place=None if one.place is None else one.place.model_dump(),
                )
                for one in self.items
            ],
            removed=frozenset(self.removed),
            beside=tuple(beside.items()),
        )


class BoardColumn(BaseModel):
    """A column that queries of the board read."""

    name: str
    tables: list[str]
    is_dates: bool


class ColumnValues(BaseModel):
    """What stands in a column, the commonest first; `more` where not all are here."""

    values: list[str | None]
    more: bool


class DashboardCall(BaseModel):
    """The call behind an item, and the conversation whose data sets it reads."""

    name: str
    input: dict[str, Any]
    conversation_id: str | None = None


class DashboardItem(BaseModel):
    """What is shown; `error` says why a refresh left the last picture in place."""

    id: str
    type: str
    data: dict[str, Any]
    call: DashboardCall | None
    refreshed_at: Moment | None = None
    """When its figures were made."""
    is_live: bool
    """Whether a refresh can make it anew; if not, its figures stay those of that day."""
    error: str | None
    place: TilePlace | None = None
    """Where it stands; none: wherever there is room."""
    filter_note: str | None = None
    """What the board's filter left out of it."""
    stale: bool = False
    """Its picture is of another filter than the board's, and is not to be taken for this one's."""


class DashboardOut(Out):
    id: str
    titulo: str
    url: str
    html: str | None
    outside: bool
    """Its HTML may carry words from outside: it is shown sanitised, without its own script."""
    items: list[DashboardItem]
    shared: bool
    filter: FilterShape | None
    """What its queries are filtered by."""
    refresh_minutes: int | None
    """How often a page that shows it brings it up to date."""
    created_at: Moment
    updated_at: Moment

    @staticmethod
    def to_owner(
        row: DashboardRow, *, live: Container[str], shared: bool, language: Language
    ) -> DashboardOut:
        """As its owner sees it; `live` are the items that can be refreshed."""
        items = [{**item, "error": _told(item["error"], language)} for item in row.items]
        return DashboardOut._shown(row, items, f"/dashboards/{row.id}", live, shared, language)

    @staticmethod
    def by_link(
        row: DashboardRow, url: str, *, live: Container[str], language: Language
    ) -> DashboardOut:
        """As anybody with the link sees it: the pictures, not the queries behind them."""
        items = [{**item, "call": None, "error": None} for item in row.items]
        return DashboardOut._shown(row, items, url, live, True, language)

    @classmethod
    def _shown(
        cls,
        row: DashboardRow,
        items: list[JSONObject],
        url: str,
        live: Container[str],
        shared: bool,
        language: Language,
    ) -> DashboardOut:
        shown = [_tile(item, row.filter, item["id"] in live, language) for item in items]
        return cls.of(row, url=url, items=shown, shared=shared)


def _tile(
    item: JSONObject, filter: JSONObject | None, is_live: bool, language: Language
) -> DashboardItem:
    notes = [Wording.of(note) for note in item.get("notes", ())]
    if filter is not None and not is_live and item["type"] != "text":
        notes = [Wording("filter_not_query")]
    return DashboardItem(
        **{name: value for name, value in item.items() if name in DashboardItem.model_fields},
        is_live=is_live,
        filter_note=" ".join(note.told(language) for note in notes) or None,
        stale=is_live and item.get("filter") != filter,
    )


def _told(error: JSONObject | str | None, language: Language) -> str | None:
    """Why a refresh failed; a sentence that was kept before there were keys, as it was kept."""
    return Wording.of(error).told(language) if isinstance(error, dict) else error


class PinnedEvent(Shape):
    """What an event of one of your conversations showed, with the call that made it."""

    event: EventName
    """The event's id in the stream, `<turn>-<n>`."""


class PinnedItem(Shape):
    """A widget you bring: it is checked as the tool that draws such a widget would."""

    type: Literal["chart", "table", "kpi", "graph", "text"]
    data: JSONMap
    tool: Annotated[str, StringConstraints(max_length=64)] | None = None
    """A tool that one of your agents has and that makes it anew at a refresh."""
    input: JSONMap | None = None


def _way_of_pinning(given: Any) -> str:
    by_event = isinstance(given, dict) and "event" in given
    return "event" if by_event or isinstance(given, PinnedEvent) else "widget"


class Pin(Shape):
    titulo: Annotated[str, StringConstraints(max_length=200)] = ""
    items: Annotated[
        list[
            Annotated[
                Annotated[PinnedEvent, Tag("event")] | Annotated[PinnedItem, Tag("widget")],
                Discriminator(_way_of_pinning),
            ]
        ],
        Field(max_length=60),
    ]
    dashboard_id: Annotated[str, StringConstraints(max_length=40)] | None = None
    """Add to this dashboard; none: a new one."""


class Shared(BaseModel):
    url: str
