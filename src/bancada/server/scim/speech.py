"""How a directory is spoken with: who it is, what it sent, and what it is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Body, Depends, Path, Request, Response
from pydantic import BaseModel, ValidationError
from scim2_models import (
    Context,
    Error,
    InvalidValueException,
    ListResponse,
    PatchOp,
    Resource,
    ResponseParameters,
    SCIMException,
    SearchRequest,
    UniquenessException,
)
from sqlalchemy import Connection

from bancada.domain.errors import Conflict, Forbidden
from bancada.domain.people import Person
from bancada.domain.shapes import keepable
from bancada.server.auth import Administrator, Bench, CurrentAccess, account_changed
from bancada.server.parameters import HIGHEST
from bancada.server.problems import SCIM_MEDIA_TYPE, SCIM_PATH
from bancada.server.scim.resources import MOST_RESULTS, SERVICE
from bancada.settings import Settings
from bancada.store import people

DEFAULT_RESULTS = 100
ErrorBody: dict[int | str, dict[str, Any]] = {
    status: {"description": "A SCIM error", "content": {SCIM_MEDIA_TYPE: {}}}
    for status in (400, 401, 403, 404, 409, 413)
}


async def directory_administrator(access: CurrentAccess, person: Administrator) -> Person:
    """Whoever keeps the directory: the scope must be the key's own, having none is not enough."""
    if "scim" not in access.scopes:
        raise Forbidden("scim_key_only")
    return person


Keeper = Annotated[Person, Depends(directory_administrator)]
Said = Annotated[dict[str, Any], Body(media_type=SCIM_MEDIA_TYPE)]
Id = Annotated[str, Path(min_length=1, max_length=200)]
T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)
R = TypeVar("R", bound=Resource[Any])
Route = TypeVar("Route", bound=Callable[..., Any])


class ScimResponse(Response):
    media_type = SCIM_MEDIA_TYPE


class Directory:
    """The addresses of one part of the protocol."""

    def __init__(self) -> None:
        self.router = APIRouter(prefix=SCIM_PATH, tags=["directory"])

    def at(self, path: str, method: str, status: int = 200) -> Callable[[Route], Route]:
        return self.router.api_route(
            path,
            methods=[method],
            status_code=status,
            response_class=ScimResponse,
            responses=ErrorBody,
        )


def read(kind: type[M], said: dict[str, Any], context: Context) -> M:
    """What was sent, fitted to a shape. Raises `SCIMException`."""
    _check_texts(said)
    try:
        with SERVICE:
            return kind.model_validate(said, scim_ctx=context)  # type: ignore[call-arg]
    except ValidationError as error:
        first: Any = error.errors()[0]
        raise SCIMException.from_error(Error.from_validation_error(first)) from None


def _check_texts(said: dict[str, Any]) -> None:
    """Refuse what cannot be kept or sent again: one such name, and no list could be read any more."""
    try:
        keepable(said)
    except ValueError as error:
        raise InvalidValueException(detail=str(error)) from None
    left: list[Any] = [said]
    while left:
        one = left.pop()
        if isinstance(one, str) and "\0" in one:
            raise InvalidValueException(detail="A text holds a character of no use (NUL).")
        if isinstance(one, dict):
            left += [*one, *one.values()]
        elif isinstance(one, list):
            left += one


def patch_of(kind: type[R], said: dict[str, Any]) -> Callable[[R], R]:
    """What a PATCH makes of a resource. Raises `SCIMException`."""
    patch: Any = read(PatchOp[kind], said, Context.RESOURCE_PATCH_REQUEST)  # type: ignore[valid-type]

    def patched(now: R) -> R:
        with SERVICE:
            patch.patch(now)
        return now

    return patched


def asked(request: Request) -> dict[str, Any]:
    """The query of an address as the body of a search."""
    found: dict[str, Any] = dict(request.query_params)
    for name in ("attributes", "excludedAttributes"):
        if name in found:
            found[name] = [one for one in found[name].split(",") if one]
    return found


def wanted_of(kind: Any, said: dict[str, Any]) -> Any:
    return read(SearchRequest[kind], said, Context.SEARCH_REQUEST)


def page_of(kind: Any, found: list[Any], wanted: Any) -> Response:
    """Those of the found that were asked for, in the order and number that was."""
    with SERVICE:
        if wanted.filter is not None:
            found = [one for one in found if wanted.filter.match(one)]
        if wanted.sort_by is not None:
            found = wanted.sort(found)
    start = max(1, wanted.start_index or 1)
    count = DEFAULT_RESULTS if wanted.count is None else max(0, min(wanted.count, MOST_RESULTS))
    page = found[start - 1 : start - 1 + count]
    listed = ListResponse[kind](
        total_results=len(found), start_index=start, items_per_page=len(page), resources=page
    )
    shown = listed.model_dump_json(scim_ctx=Context.SEARCH_RESPONSE, response_parameters=wanted)
    return ScimResponse(shown)


@dataclass(frozen=True)
class DirectoryCall:
    """One request of a directory's."""

    keeper: Keeper
    request: Request
    bench: Bench

    @property
    def settings(self) -> Settings:
        return self.bench.settings

    @property
    def organisation_id(self) -> int:
        return self.keeper.organisation_id

    @property
    def base(self) -> str:
        """What the addresses of resources begin with."""
        return f"{str(self.request.base_url).rstrip('/')}{SCIM_PATH}/"

    async def read(self, query: Callable[..., T], *arguments: Any) -> T:
        """A query that is asked with this call."""
        return await self.bench.database.read(query, self, *arguments)

    async def run(self, change: Callable[..., T], *arguments: Any) -> T:
        """A change in one transaction; what clashes is told as the protocol has it."""
        try:
            return await self.bench.database.run(self._alone, change, *arguments)
        except Conflict as problem:
            raise UniquenessException(detail=str(problem)) from None

    def _alone(self, db: Connection, change: Callable[..., T], *arguments: Any) -> T:
        # A directory sends many at once. Names are looked for and then taken, a group is read and
        # written back whole, roles follow from all groups: each change waits for the one before.
        people.hold_organisation(db, self.organisation_id)
        return change(db, self, *arguments)

    def changed(self, person_ids: Iterable[int]) -> None:
        """These accounts are other ones now."""
        for id in person_ids:
            account_changed(self.request, id)

    def one(
        self,
        shown: Resource[Any],
        context: Context = Context.RESOURCE_QUERY_RESPONSE,
        status: int = 200,
    ) -> Response:
        """One resource, with the attributes that were asked for."""
        names = ("attributes", "excludedAttributes")
        said = {name: value for name, value in asked(self.request).items() if name in names}
        kind: Any = type(shown)
        wanted: Any = read(ResponseParameters[kind], said, Context.RESOURCE_QUERY_REQUEST)
        body = shown.model_dump_json(scim_ctx=context, response_parameters=wanted)
        where = str(shown.meta.location) if shown.meta and shown.meta.location else None
        return ScimResponse(body, status, headers={"Location": where} if where else None)


Call = Annotated[DirectoryCall, Depends()]


def number(id: str) -> int:
    """The row that an id names; no row where it is none of ours."""
    return int(id) if id.isascii() and id.isdigit() and int(id) <= HIGHEST else 0
