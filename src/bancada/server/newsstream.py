"""`GET /me/events`: one stream a person, whichever process serves it and whichever process has news.

The record is the truth: a wake-up, from wherever it comes, only means that there may be something
to read. Whoever reads is looked up again each time, and the stream ends when they may not.
"""

from __future__ import annotations

import asyncio
import time

from sqlalchemy import Connection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bancada.domain.json import JSONObject, dumps
from bancada.domain.news import Here
from bancada.domain.people import Person
from bancada.engine.workbench import Workbench
from bancada.gate.approvers import authority
from bancada.server.auth import Admission, still_in
from bancada.server.sse import COMMENT, HEADERS, KEEP_ALIVE_SECONDS, Readers
from bancada.store import confirmations, news, people


class NewsStream(Response):
    """A response that lasts as long as its reader may read and stays."""

    media_type = "text/event-stream"
    reads_news = True

    def __init__(self, bench: Workbench, access: Admission, after: int | None) -> None:
        self.status_code = 200
        self.background = None
        self.init_headers(HEADERS)
        self._database = bench.database
        self._access = access
        self._after = after
        self._wake = asyncio.Event()
        self._gone = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        readers: Readers = scope["app"].state.readers
        leaving = asyncio.create_task(self._watch(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            with readers.reading(self._access.person.id, self):
                await self._write(send)
            if not self._gone:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()

    async def _write(self, send: Send) -> None:
        person_id = self._access.person.id
        at, complete = await self._database.read(_begin, person_id, self._after)
        out = _frame(at, dict(vars(Here(complete=complete))))
        while not self._gone:
            if out:
                await send({"type": "http.response.body", "body": out, "more_body": True})
            self._wake.clear()
            found = await self._database.read(_look, self._access, at)
            if found is None:
                return
            before, (at, items) = at, found
            out = b"".join(_frame(number, data) for number, data in items)
            if at > before:
                continue
            try:
                async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                    await self._wake.wait()
            except TimeoutError:
                out = COMMENT

    def look_again(self) -> None:
        """There may be news, or an end."""
        self._wake.set()

    def end(self) -> None:
        """The process stops: the reader finds another."""
        self._gone = True
        self._wake.set()

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.end()


def _frame(number: int, data: JSONObject) -> bytes:
    return f"id: {number}\ndata: {dumps(data)}\n\n".encode()


def _begin(db: Connection, person_id: int, after: int | None) -> tuple[int, bool]:
    """Where the stream begins, and whether that is where its reader was."""
    if after is not None and news.is_whole(db, person_id, after):
        return after, True
    return news.head(db, person_id), False


def _look(
    db: Connection, access: Admission, after: int
) -> tuple[int, list[tuple[int, JSONObject]]] | None:
    """What is new for this person, and up to where it was read; none: they may not read."""
    if not still_in(db, access):
        return None
    items = news.since(db, access.person.id, after)
    person = people.person(db, access.person.id)
    shown = [(number, data) for number, data in items if _is_theirs(db, person, data)]
    return (items[-1][0] if items else after), shown


def _is_theirs(db: Connection, person: Person, data: JSONObject) -> bool:
    """Rights change, and not everybody of a role may decide everything."""
    if data["type"] == "turn":
        return True
    found = confirmations.find(db, data["id"])
    return found is not None and (
        found.user_id == person.id or authority(db, person, found, time.time()) is not None
    )
