"""Where a person wants to be told, and what."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field, StringConstraints, TypeAdapter

from bancada.domain.notices import NOTICE_KINDS, Channel, NoticeKind
from bancada.domain.shapes import Email, Shape, example, fitted
from bancada.server.auth import Bench, CurrentPerson
from bancada.server.problems import documented
from bancada.server.shapes import Moment, Out

router = APIRouter(tags=["account"])

AddressId = Annotated[str, Path(min_length=1, max_length=64)]
MAIL: TypeAdapter[str] = TypeAdapter(Email)
Kinds = Annotated[list[NoticeKind], Field(max_length=len(NOTICE_KINDS))]


class NoticeAddressOut(Out):
    """An address of yours; what is secret in it is not shown again."""

    id: str
    channel: Channel
    shown: str
    kinds: list[NoticeKind]
    problem: str | None
    """What went wrong the last time."""
    dead: bool
    """Nothing is sent there until you have tried it again, and it arrived."""
    ok_at: Moment | None
    created_at: Moment


class Notices(Out):
    """Your addresses, and what this installation can reach."""

    email: bool
    schemes: list[str]
    addresses: list[NoticeAddressOut]


class NewNoticeAddress(Shape):
    """Where to tell you: an e-mail address, or a chat room's."""

    model_config = example(channel="chat", address="slack://T1/A1/secret", kinds=["approval"])

    channel: Channel
    address: Annotated[str, StringConstraints(min_length=3, max_length=2000, strip_whitespace=True)]
    kinds: Kinds = Field(default_factory=lambda: list(NOTICE_KINDS))


class NoticeChoice(Shape):
    kinds: Kinds


@router.get("/me/notices", responses=documented(401))
async def my_notices(person: CurrentPerson, bench: Bench) -> Notices:
    """Where you are told what waits for you, beside the page."""
    settings = bench.settings.notices
    found = await bench.notices.of(person)
    return Notices(
        email=settings.smtp is not None,
        schemes=list(settings.schemes),
        addresses=[NoticeAddressOut.of(one, dead=one.dead_at is not None) for one in found],
    )


@router.post("/me/notices", status_code=201, responses=documented(401, 409, 422))
async def add_address(
    body: NewNoticeAddress, person: CurrentPerson, bench: Bench
) -> NoticeAddressOut:
    """Add an address. Try it afterwards: nothing is sent before there is something to tell."""
    if body.channel == "email":
        fitted(MAIL, body.address, "address")
    kinds = [kind for kind in NOTICE_KINDS if kind in body.kinds]
    return NoticeAddressOut.of(
        await bench.notices.add(person, body.channel, body.address, kinds), dead=False
    )


@router.patch("/me/notices/{id}", responses=documented(401, 404, 422))
async def choose_kinds(
    id: AddressId, body: NoticeChoice, person: CurrentPerson, bench: Bench
) -> NoticeAddressOut:
    """Choose what is told there."""
    kinds = [kind for kind in NOTICE_KINDS if kind in body.kinds]
    changed = await bench.notices.change(person, id, kinds)
    return NoticeAddressOut.of(changed, dead=changed.dead_at is not None)


@router.delete("/me/notices/{id}", status_code=204, responses=documented(401, 404, 422))
async def remove_address(id: AddressId, person: CurrentPerson, bench: Bench) -> None:
    """Forget the address."""
    await bench.notices.remove(person, id)


@router.post("/me/notices/{id}/test", responses=documented(401, 404, 409, 422))
async def try_address(id: AddressId, person: CurrentPerson, bench: Bench) -> NoticeAddressOut:
    """Send something there now, and see how it went: `problem` is null where it arrived."""
    tried = await bench.notices.test(person, id)
    return NoticeAddressOut.of(tried, dead=tried.dead_at is not None)
