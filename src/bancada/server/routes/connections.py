"""Signing in to servers of others: where people go, and where they come back to."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Request
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, StringConstraints

from bancada.domain.shapes import Shape
from bancada.mcp.connections.signin import OurAddress
from bancada.server.auth import Bench, CurrentPerson
from bancada.server.problems import documented

router = APIRouter(prefix="/connections", tags=["connections"])

ConnectionId = Annotated[str, Path(min_length=1, max_length=64)]
Short = Annotated[str, StringConstraints(max_length=4000)]
_CARRIED = ("code", "state", "iss", "error")


class OwnConnection(BaseModel):
    id: str
    name: str
    credentials: Literal["none", "shared", "person"]
    signed_in: bool
    status: str


class SignInDoor(BaseModel):
    url: str
    """Where to sign in; it leads back here."""


class CameBack(Shape):
    state: Short
    code: Short | None = None
    iss: Short | None = None
    error: Short | None = None


class SignInOutcome(BaseModel):
    ok: bool
    detail: str


@router.get("", responses=documented(401))
async def listed(person: CurrentPerson, bench: Bench) -> list[OwnConnection]:
    """The connections that you sign in to yourself."""
    return [
        OwnConnection(
            id=row.id,
            name=row.name,
            credentials=row.credentials,
            signed_in=signed_in,
            status=row.status,
        )
        for row, _, signed_in in await bench.connections.listed(person)
        if row.is_enabled and row.credentials == "person"
    ]


@router.get("/callback", include_in_schema=False)
async def callback(request: Request) -> RedirectResponse:
    """Back from somebody else's sign-in: the app says who came, which a redirect cannot."""
    given = {name: request.query_params.get(name, "") for name in _CARRIED}
    kept = urlencode({name: value[:4000] for name, value in given.items() if value})
    return RedirectResponse(f"/#/connections/callback?{kept}", status_code=303)


@router.get("/client.json")
async def client_document(request: Request) -> dict[str, Any]:
    """Who we are, for servers that sign people in: this address is our client id there."""
    address = our_address(request)
    shape = address.metadata(token_endpoint_auth_method="none")  # noqa: S106 - it has none
    said: dict[str, Any] = shape.model_dump(mode="json", exclude_none=True)
    return {"client_id": f"{address.origin}/connections/client.json", **said}


@router.post("/came-back", responses=documented(401, 404, 409, 422))
async def came_back(body: CameBack, person: CurrentPerson, bench: Bench) -> SignInOutcome:
    """What the other server sent the person back with."""
    answer = {name: value for name, value in body.model_dump().items() if value is not None}
    outcome = await bench.connections.came_back(person, body.state, answer)
    return SignInOutcome(ok=outcome == "ok", detail="" if outcome == "ok" else outcome)


@router.post("/{id}/sign-in", responses=documented(401, 404, 409, 422))
async def sign_in(
    id: ConnectionId, request: Request, person: CurrentPerson, bench: Bench
) -> SignInDoor:
    """Begin to sign in. A sign-in for everybody is an administrator's to make."""
    url = await bench.connections.begin_sign_in(person, id, our_address(request))
    return SignInDoor(url=url)


@router.delete("/{id}/sign-in", status_code=204, responses=documented(401, 404, 422))
async def sign_out(id: ConnectionId, person: CurrentPerson, bench: Bench) -> None:
    """Forget your sign-in; everybody's, where it is shared and you are an administrator."""
    await bench.connections.sign_out(person, id)


def our_address(request: Request) -> OurAddress:
    """As the person's browser knows us."""
    return OurAddress(origin=f"{request.url.scheme}://{request.url.netloc}")
