"""Images and documents that go with a question: kept as files of its conversation, shown to the model.

The record holds a reference to each, in the form in which the Messages API refers to a file; what the
reference is of stands beside it, in the message's metadata. The bytes are put in its place when a
request leaves, and nowhere before: logs, traces and estimates have the reference.
"""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from bancada.data.pictures import MOST_BYTES, MOST_PAGES, PDF, FileLook
from bancada.data.problems import size_text
from bancada.domain.errors import Invalid, NotFound
from bancada.domain.json import JSONObject
from bancada.domain.messages import Block, text_block
from bancada.domain.people import Person
from bancada.model.honours import Feature, Honours
from bancada.model.model import Request
from bancada.store import conversations, files
from bancada.store.blobs.keeping import Blobs
from bancada.store.blobs.place import Blob, BlobMissing, hash_in
from bancada.store.database import Database
from bancada.store.messages import StoredMessage

log = logging.getLogger("bancada.files")

MOST = 20
"""Of one request: with more images the Messages API takes only small ones."""
TOKENS_OF_IMAGE = 4800
"""The most that a model makes of one; it scales down what is larger."""
PIXELS_A_TOKEN = 750
TOKENS_OF_PAGE = 4500
"""Its text and its picture, about; a page is shown as both."""
BYTES_OF_PAGE = 100_000
"""For the estimate, where a document does not say how many pages it has."""


@dataclass(frozen=True, kw_only=True)
class AttachedFile:
    """An image or document that goes with a question: which file it is, and what it is of."""

    id: str
    name: str
    media_type: str
    size: int
    sha256: str
    width: int | None = None
    height: int | None = None
    pages: int | None = None

    @property
    def url(self) -> str:
        return f"/files/{self.id}"

    @property
    def block(self) -> Block:
        """As the record has it."""
        source = {"type": "file", "file_id": self.id}
        if self.media_type == PDF:
            return {"type": "document", "source": source, "title": self.name}
        return {"type": "image", "source": source}

    @property
    def tokens(self) -> int:
        """About how many the model reads of it, at most."""
        if self.media_type == PDF:
            return TOKENS_OF_PAGE * (self.pages or 1 + self.size // BYTES_OF_PAGE)
        return min(TOKENS_OF_IMAGE, 1 + (self.width or 0) * (self.height or 0) // PIXELS_A_TOKEN)

    def as_json(self) -> JSONObject:
        return {**asdict(self), "url": self.url}


def attachment_of(row: Any) -> AttachedFile:
    """A row of `files` that somebody sent for a question."""
    return AttachedFile(
        id=row.id,
        name=row.name,
        media_type=row.media_type,
        size=row.size,
        sha256=hash_in(row.path),
        **(row.measures or {}),
    )


def attached_to(message: StoredMessage) -> list[AttachedFile]:
    """What goes with a question, in the order in which the model is shown it."""
    told: list[JSONObject] = message.metadata.get("attachments") or []
    return [AttachedFile(**{k: v for k, v in one.items() if k != "url"}) for one in told]


def features(attached: Iterable[AttachedFile]) -> set[Feature]:
    """What a server must honour to show these to its model; pages are shown as images too."""
    kinds = {one.media_type for one in attached}
    needed: set[Feature] = {"images"} if kinds else set()
    return needed | {"documents"} if PDF in kinds else needed


def taken(db: Connection, conversation_id: str, ids: Sequence[str]) -> list[AttachedFile]:
    """What was sent for a question of this conversation: it goes with the one that is written now."""
    wanted = list(dict.fromkeys(ids))
    if len(wanted) > MOST:
        raise Invalid("too_many_attachments", most=MOST)
    found = [attachment_of(row) for row in files.send(db, conversation_id, wanted)]
    if len(found) < len(wanted):
        raise NotFound("attachment_gone")
    if sum(one.size for one in found) > MOST_BYTES:
        raise Invalid("attachments_too_large", most=size_text(MOST_BYTES))
    if sum(one.pages or 0 for one in found) > MOST_PAGES:
        raise Invalid("attachments_too_long", most=MOST_PAGES)
    return found


def with_attachments_shown(
    messages: list[StoredMessage], honours: Honours
) -> tuple[list[StoredMessage], int]:
    """The messages as a model is sent them, and about how many tokens the attachments in them are.

    Where not all fit into a request, the older ones stand there by their names: half of what fits is
    left then, so that the beginning stays as it is for a while, and in the provider's cache.
    """
    kept: list[AttachedFile] = []
    for message in messages:
        kept += attached_to(message)
        if not _fit(kept):
            own = len(attached_to(message))
            while len(kept) > own and not _fit(kept, share=2):
                del kept[0]
    shown = {one.id: one for one in kept if all(map(honours.does, features([one])))}
    sent = [
        replace(message, content=_shown(message, shown)) if attached_to(message) else message
        for message in messages
    ]
    return sent, sum(one.tokens for one in shown.values())


def _fit(attached: Sequence[AttachedFile], share: int = 1) -> bool:
    return (
        len(attached) * share <= MOST
        and sum(one.size for one in attached) * share <= MOST_BYTES
        and sum(one.pages or 0 for one in attached) * share <= MOST_PAGES
    )


def _shown(message: StoredMessage, shown: dict[str, AttachedFile]) -> list[Block]:
    names = {one.id: one.name for one in attached_to(message)}
    return [
        block if (id := _reference(block)) is None or id in shown else _left_out(names.get(id, id))
        for block in message.content
    ]


def _left_out(name: str) -> Block:
    return text_block(f"[attachment: {name} is not shown to you here; say so if you need it.]")


def _reference(block: Block) -> str | None:
    """The file that a block stands for; none: it is whole."""
    source = block.get("source")
    if block.get("type") not in ("image", "document") or not isinstance(source, dict):
        return None
    return str(source.get("file_id")) if source.get("type") == "file" else None


@dataclass(frozen=True)
class AttachmentShelf:
    """Where they are kept, and read again when a request leaves."""

    database: Database
    blobs: Blobs

    async def keep(
        self,
        person: Person,
        conversation_id: str,
        source: Path,
        name: str,
        looked: FileLook,
        id: str,
    ) -> AttachedFile:
        """Keep a file that was looked at, until the question that it goes with is asked."""
        measures = {k: v for k, v in asdict(looked).items() if v is not None and k != "media_type"}
        size = (await asyncio.to_thread(source.stat)).st_size

        def add(db: Connection, blob: Blob) -> AttachedFile:
            # It may have been removed while the file was received.
            conversations.owned(db, conversation_id, person.id)
            files.add(
                db,
                id=id,
                organisation_id=person.organisation_id,
                user_id=person.id,
                conversation_id=conversation_id,
                name=name,
                media_type=looked.media_type,
                size=size,
                path=blob.place,
                attached="waiting",
                measures=measures,
            )
            return attachment_of(files.find(db, id))

        return await self.blobs.keep(person.organisation_id, source, add)

    async def find(self, conversation_id: str, id: str) -> AttachedFile | None:
        row = (await self.database.read(files.attached_in, conversation_id, [id])).get(id)
        return None if row is None else attachment_of(row)

    async def filled(self, conversation_id: str, request: Request) -> Request:
        """The request with the bytes of what it refers to: this conversation's own, and no others."""
        wanted = [
            id
            for message in request.messages
            if message["role"] == "user"
            for block in message["content"]
            if (id := _reference(block)) is not None
        ]
        if not wanted:
            return request
        rows = await self.database.read(files.attached_in, conversation_id, wanted)
        read = {id: await self._read(row) for id, row in rows.items()}
        messages = [
            {**message, "content": [_filled(block, read) for block in message["content"]]}
            if message["role"] == "user"
            else message
            for message in request.messages
        ]
        return replace(request, messages=messages)

    async def _read(self, row: Any) -> Block | None:
        try:
            held = await self.blobs.hold(row.path)
        except BlobMissing:
            log.error("the attachment %s is not where files are kept", row.id)
            return None
        data = await asyncio.to_thread(lambda: base64.b64encode(held.path.read_bytes()).decode())
        held.release()
        return {"type": "base64", "media_type": row.media_type, "data": data}


def _filled(block: Block, read: dict[str, Block | None]) -> Block:
    id = _reference(block)
    if id is None:
        return block
    source = read.get(id)
    return (
        _left_out(str(block.get("title") or "the image"))
        if source is None
        else {
            **block,
            "source": source,
        }
    )
