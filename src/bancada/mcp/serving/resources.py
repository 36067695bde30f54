"""What this person's clients may read: their data sets, dashboards and files, and what packs offer."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from mcp import types
from mcp.shared.exceptions import MCPError
from sqlalchemy import Connection

from bancada.data import summary
from bancada.domain.errors import NotFound
from bancada.domain.json import dumps
from bancada.domain.people import Person
from bancada.domain.wording import Wording
from bancada.mcp.serving.apps import WIDGET_TYPE, WIDGET_URI
from bancada.mcp.serving.calls import page
from bancada.mcp.serving.clients import McpClient
from bancada.mcp.serving.desk import Context, McpDesk
from bancada.store import dashboards, datasets, files
from bancada.store.dashboards import DashboardRow
from bancada.store.datasets import DatasetRow
from bancada.tools.offerings import PackResource

MOST_BYTES = 8 << 20
"""Of one file; a larger one is downloaded from the page."""
NOT_FOUND_BEFORE_2026 = -32002
KINDS = ("datasets", "dashboards", "files")

Held = types.TextResourceContents | types.BlobResourceContents


@dataclass(frozen=True)
class Resources:
    """The documents of whoever asks."""

    desk: McpDesk

    async def listed(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        person = (await self.desk.who(ctx)).person
        found = await self.desk.gate.database.read(listed, person)
        offered = [_offered(one) for one in self._offered if not one.is_template]
        shown, following = page([*offered, *found], params)
        return types.ListResourcesResult(resources=shown, next_cursor=following)

    async def templates(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        ours = [
            types.ResourceTemplate(uri_template=f"bancada://{kind}/{{id}}", name=kind)
            for kind in KINDS
        ]
        theirs = [
            types.ResourceTemplate(
                uri_template=one.uri,
                name=one.name,
                description=one.description,
                mime_type=one.media_type,
            )
            for one in self._offered
            if one.is_template
        ]
        return types.ListResourceTemplatesResult(resource_templates=[*ours, *theirs])

    async def read(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        person = (await self.desk.who(ctx)).person
        contents = await self._read(person, params.uri)
        if contents is None:
            modern = McpClient.of(ctx).modern
            code = types.INVALID_PARAMS if modern else NOT_FOUND_BEFORE_2026
            raise MCPError(code, "Resource not found", {"uri": params.uri})
        return types.ReadResourceResult(contents=contents)

    async def suggested(self, person: Person, uri: str, argument: str, begun: str) -> Sequence[str]:
        """Values for a place in an address."""
        for one in self._offered:
            if one.uri == uri:
                return () if one.suggest is None else await one.suggest(person, argument, begun)
        kind = uri.removeprefix("bancada://").partition("/")[0]
        if kind not in KINDS or argument != "id":
            return ()
        found = await self.desk.gate.database.read(listed, person)
        ids = [
            one.uri.rpartition("/")[2] for one in found if one.uri.startswith(f"bancada://{kind}/")
        ]
        return [id for id in ids if id.startswith(begun)]

    async def version(self, person: Person, uri: str) -> str | None:
        """What changes when the document does; none where it never does, or is not theirs."""
        kind, _, id = uri.removeprefix("bancada://").partition("/")
        if kind != "dashboards":
            return None
        row = await self._board(person, id)
        return None if row is None else str(row.updated_at)

    async def _read(self, person: Person, uri: str) -> list[Held] | None:
        if uri == WIDGET_URI:
            return [_text(uri, WIDGET_TYPE, self.desk.app_page())]
        if uri.startswith("bancada://"):
            kind, _, id = uri.removeprefix("bancada://").partition("/")
            return await self._own(person, uri, kind, id)
        for one in self._offered:
            parts = one.parts_of(uri)
            held = None if parts is None else await one.read(person, parts)
            if held is not None:
                return [_held(uri, one.media_type, held)]
        return None

    async def _own(self, person: Person, uri: str, kind: str, id: str) -> list[Held] | None:
        read = self.desk.gate.database.read
        if kind == "datasets":
            row = next(
                (one for one in await read(datasets.of_person, person.id) if one.id == id), None
            )
            return None if row is None else _table(uri, row, person)
        if kind == "dashboards":
            return await self._dashboard(person, uri, id)
        if kind == "files":
            return await self._file(person, uri, id)
        return None

    async def _board(self, person: Person, id: str) -> DashboardRow | None:
        try:
            return await self.desk.gate.database.read(dashboards.owned, id, person.id)
        except NotFound:
            return None

    async def _dashboard(self, person: Person, uri: str, id: str) -> list[Held] | None:
        row = await self._board(person, id)
        if row is None:
            return None
        if row.html is not None:
            return [_text(uri, "text/html", row.html)]
        kept = {"titulo": row.titulo, "items": row.items}
        return [_text(uri, "application/json", dumps(kept))]

    async def _file(self, person: Person, uri: str, id: str) -> list[Held] | None:
        row = await self.desk.gate.database.read(files.find, id)
        if row is None or row.user_id != person.id:
            return None
        if row.size > MOST_BYTES:
            raise MCPError(
                types.INVALID_PARAMS,
                f"The file has {row.size:,} bytes; at most {MOST_BYTES:,} are handed over here.",
                {"uri": uri},
            )
        content = await self.desk.read_file(row.path)
        return None if content is None else [_held(uri, row.media_type, content)]

    @property
    def _offered(self) -> list[PackResource]:
        return [one for pack in self.desk.packs for one in pack.resources]


def listed(db: Connection, person: Person) -> list[types.Resource]:
    """What is the person's own, the newest of each kind first."""

    def told(key: str, **parts: object) -> str:
        return Wording(key, **parts).told(person.language)

    tables = [
        types.Resource(
            uri=f"bancada://datasets/{row.id}",
            name=row.table_name,
            title=row.file_name,
            description=told("mcp_dataset", rows=row.summary["tables"][0]["rows"]),
            mime_type="text/csv",
        )
        for row in datasets.of_person(db, person.id)
    ]
    boards = [
        types.Resource(
            uri=f"bancada://dashboards/{row.id}",
            name=row.titulo,
            description=told("mcp_dashboard"),
            mime_type="application/json" if row.html is None else "text/html",
        )
        for row in dashboards.of_person(db, person.id)
    ]
    kept = [
        types.Resource(
            uri=f"bancada://files/{row.id}",
            name=row.name,
            description=told("mcp_file", size=row.size),
            mime_type=row.media_type,
            size=row.size,
        )
        for row in files.of_person(db, person.id)
    ]
    return [*tables, *boards, *kept]


def _table(uri: str, row: DatasetRow, person: Person) -> list[Held]:
    """What is known of the file, then each table's first rows."""
    about = summary.catalogue([row.summary], person.language)
    previews = [
        _text(
            f"{uri}/{table['table']}",
            "text/csv",
            summary.csv_text(table["columns"], table["preview"]),
        )
        for table in row.summary["tables"]
    ]
    return [_text(uri, "text/plain", about), *previews]


def _offered(one: PackResource) -> types.Resource:
    return types.Resource(
        uri=one.uri, name=one.name, description=one.description, mime_type=one.media_type
    )


def _text(uri: str, media_type: str, text: str) -> types.TextResourceContents:
    return types.TextResourceContents(uri=uri, mime_type=media_type, text=text)


def _held(uri: str, media_type: str, content: str | bytes) -> Held:
    if isinstance(content, str):
        return _text(uri, media_type, content)
    if media_type.startswith("text/") or media_type == "application/json":
        try:
            return _text(uri, media_type, content.decode())
        except UnicodeDecodeError:
            pass
    blob = base64.b64encode(content).decode()
    return types.BlobResourceContents(uri=uri, mime_type=media_type, blob=blob)
