"""How people sign in here: the providers the operator configured, each tested before it is used."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel
from sqlalchemy import Connection

from bancada.domain.errors import NotFound
from bancada.domain.people import Person, RoleName
from bancada.domain.wording import Wording
from bancada.engine.directory import rules_of
from bancada.engine.identities import break_glass_state
from bancada.server.auth import Administrator, Bench
from bancada.server.oidc.examine import examined
from bancada.server.oidc.provider import IdentityProvider
from bancada.server.problems import SCIM_PATH, documented
from bancada.server.routes.oidc import callback_of, home_of, providers_of
from bancada.settings import Settings
from bancada.store import people

router = APIRouter(tags=["administration"])


class SignInProvider(BaseModel):
    """A provider as `bancada.toml` has it; its secret is not told."""

    name: str
    label: str
    enabled: bool
    issuer: str
    client_id: str
    callback: str
    """The address to register at the provider."""
    roles: dict[str, RoleName]
    default_role: RoleName | None
    create: bool


class BreakGlass(BaseModel):
    """The account that keeps its password whatever happens to the providers."""

    email: str
    status: Literal["ok", "missing"]
    says: str


class SignInOut(BaseModel):
    passwords: bool
    """Whether people sign in with passwords that are kept here."""
    break_glass: BreakGlass | None
    providers: list[SignInProvider]
    scim: str
    """Where the organisation's directory keeps its people and groups."""


class ProviderFinding(BaseModel):
    status: Literal["ok", "note", "missing"]
    says: str


class ProviderTest(BaseModel):
    """What was found; nothing is missing where people can be sent there."""

    findings: list[ProviderFinding]


@router.get("/admin/sign-in", responses=documented(401, 403))
async def ways(admin: Administrator, request: Request, bench: Bench) -> SignInOut:
    """How people sign in, as the operator configured it."""
    settings = bench.settings
    mine = await bench.database.read(_mine, settings, admin)
    return SignInOut(
        passwords=settings.local_passwords,
        break_glass=await bench.database.read(_break_glass, settings, admin),
        providers=[_shown(request, one) for one in providers_of(request) if one.name in mine],
        scim=f"{home_of(request).rstrip('/')}{SCIM_PATH}",
    )


@router.post("/admin/sign-in/{name}/test", responses=documented(401, 403, 404, 422))
async def test(
    name: Annotated[str, Path(pattern="^[a-z0-9][a-z0-9-]{0,39}$")],
    admin: Administrator,
    request: Request,
    bench: Bench,
) -> ProviderTest:
    """Ask a provider what it says of itself, and hold it against what is configured."""
    provider = providers_of(request).get(name)
    if provider is None or name not in await bench.database.read(_mine, bench.settings, admin):
        raise NotFound("no_provider", name=name)
    known = await bench.database.read(people.organisation_ids)
    found = await examined(provider, known, callback_of(request, name), home_of(request))
    return ProviderTest(
        findings=[
            ProviderFinding(status=one.status, says=one.says.told(admin.language)) for one in found
        ]
    )


def _mine(db: Connection, settings: Settings, admin: Person) -> set[str]:
    """The providers an administrator looks after: their organisation's, all for the first one's."""
    if admin.organisation_id == people.FIRST_ORGANISATION:
        return set(settings.oidc)
    rules = rules_of(db, settings, admin.organisation_id)
    return {name for name, one in settings.oidc.items() if one in rules}


def _shown(request: Request, provider: IdentityProvider) -> SignInProvider:
    rules = provider.settings
    return SignInProvider(
        name=provider.name,
        label=provider.label,
        enabled=rules.enabled,
        issuer=rules.issuer,
        client_id=rules.client_id,
        callback=callback_of(request, provider.name),
        roles=rules.roles,
        default_role=rules.default_role,
        create=rules.create,
    )


def _break_glass(db: Connection, settings: Settings, admin: Person) -> BreakGlass | None:
    """Whether the account would let somebody in; told to the first organisation only."""
    email = settings.break_glass
    if email is None or admin.organisation_id != people.FIRST_ORGANISATION:
        return None
    key = break_glass_state(db, email)
    status: Literal["ok", "missing"] = "ok" if key == "break_glass_ok" else "missing"
    return BreakGlass(email=email, status=status, says=Wording(key).told(admin.language))
