"""Where models are: what each provider is for, and what its server honours."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from bancada.domain.people import Person
from bancada.engine.probes import probe_provider
from bancada.engine.sentences import failure_in_words
from bancada.engine.workbench import Workbench
from bancada.model.honours import FEATURES, Feature, Finds
from bancada.model.model import ModelFailed
from bancada.model.providers import Provider
from bancada.server.auth import Bench, InstallationAdministrator
from bancada.server.dialects import ProviderFailed
from bancada.server.problems import documented
from bancada.server.shapes import isoformat
from bancada.store import people, probes
from bancada.store.probes import Probe

router = APIRouter(prefix="/admin/models", tags=["administration"])


class HonouredOut(BaseModel):
    feature: Feature
    finds: Finds
    says: str


class ProbeOut(BaseModel):
    model: str
    asked_at: str
    honours: list[HonouredOut]


class ProviderOut(BaseModel):
    name: str
    kind: str
    address: str
    default: str
    models: list[str]
    """None: whatever is asked for."""
    concurrency: int | None
    rpm: int | None
    tpm: int | None
    max_context: int | None
    outside_data: bool
    organisations: list[str] | None
    """Whose questions may go there; null: everybody's."""
    agents: list[str] | None
    probes: list[ProbeOut]


class ModelsOut(BaseModel):
    """The providers, the one that answers by default first."""

    mode: Literal["offline", "providers"]
    fallback: list[str]
    providers: list[ProviderOut]


@router.get("", responses=documented(401, 403))
async def models(admin: InstallationAdministrator, bench: Bench) -> ModelsOut:
    """Who answers, who stands in, and what each server was found to honour."""
    providers = bench.models.providers
    known = await bench.database.read(probes.every)
    names = {row.id: row.name for row in await bench.database.read(people.all_organisations)}
    return ModelsOut(
        mode="offline" if bench.models.is_offline else "providers",
        fallback=list(providers.fallback),
        providers=[_shape(one, names, known) for one in providers],
    )


@router.post("/{name}/probe", responses=documented(401, 403, 404, 422, 503))
async def ask_provider(name: str, admin: InstallationAdministrator, bench: Bench) -> ProbeOut:
    """Ask the provider's server a handful of tiny questions, and keep what it honours."""
    await _probe(bench, name, admin)
    kept = [one for one in await bench.database.read(probes.every) if one.provider == name]
    return _found(max(kept, key=lambda one: one.asked_at))


async def _probe(bench: Workbench, name: str, admin: Person) -> None:
    try:
        await probe_provider(bench, name, by=admin)
    except ModelFailed as failed:
        said = failure_in_words(failed, admin.language)
        raise ProviderFailed("provider_silent", name=name, said=said, detail=failed) from failed


def _shape(one: Provider, names: dict[int, str], known: list[Probe]) -> ProviderOut:
    limits = one.limits
    return ProviderOut(
        name=one.name,
        kind=one.kind,
        address=one.address,
        default=one.default,
        models=list(one.models),
        concurrency=limits.concurrency,
        rpm=limits.rpm,
        tpm=limits.tpm,
        max_context=limits.max_context,
        outside_data=one.outside_data,
        organisations=None
        if one.organisations is None
        else sorted(names.get(id, str(id)) for id in one.organisations),
        agents=None if one.agents is None else sorted(one.agents),
        probes=[_found(probe) for probe in known if probe.provider == one.name],
    )


def _found(probe: Probe) -> ProbeOut:
    return ProbeOut(
        model=probe.model,
        asked_at=isoformat(probe.asked_at),
        honours=[
            HonouredOut(feature=name, **probe.found[name])
            for name in FEATURES
            if name in probe.found
        ],
    )
