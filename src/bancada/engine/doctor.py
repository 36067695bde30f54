"""What this installation runs on, and what is missing: for `bancada doctor` and the system page."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection

import bancada
from bancada.custom.organisation import carried_over
from bancada.domain.agents import EVERY_TOOL
from bancada.domain.errors import NotFound
from bancada.domain.people import Language
from bancada.domain.wording import Wording
from bancada.engine.identities import break_glass_state
from bancada.engine.packs import left_out, unmet
from bancada.engine.probes import probe_provider
from bancada.engine.workbench import Workbench
from bancada.model.honours import FEATURES
from bancada.model.model import ModelFailed
from bancada.model.providers import Provider
from bancada.sandbox import kernel_memory
from bancada.sandbox import probe as sandbox_tiers
from bancada.settings import unknown_variables
from bancada.store import agents, confirmations, custom_tools, people
from bancada.store.upgrade import HEAD, revision


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    status: Literal["ok", "note", "missing"]
    says: str | Wording

    def told(self, language: Language) -> str:
        """What was found, in the reader's language."""
        return self.says.told(language) if isinstance(self.says, Wording) else self.says


async def examine(bench: Workbench, *, page_built: bool, probe: bool = False) -> list[Finding]:
    """Look at everything a person would ask about first; with `probe`, ask each server too."""
    settings = bench.settings
    at = await revision(bench.database)
    tiers = sandbox_tiers()
    best = next((report.tier for report in tiers if report.available), None)
    chosen = settings.sandbox_tier or best
    findings = [
        Finding(
            "version", "ok", f"Bancada {bancada.__version__}, Python {platform.python_version()}"
        ),
        Finding("data folder", "ok", str(settings.data)),
        Finding(
            "database",
            "ok" if at == HEAD else "missing",
            Wording("doctor_database", kind=bench.database.kind, at=at or "—", head=HEAD),
        ),
        *_model(bench),
        *(
            [finding for one in bench.models.providers for finding in await _probed(bench, one)]
            if probe
            else ()
        ),
        Finding("sandbox", "ok", Wording("doctor_tier", tier=chosen or "—"))
        if bench.jail.missing is None
        else Finding("sandbox", "missing", Wording("doctor_code_off", why=bench.jail.missing)),
    ]
    findings.append(
        Finding("uploads", "ok", Wording("doctor_uploads"))
        if bench.jail.missing is None
        else Finding("uploads", "missing", Wording("doctor_uploads_off", why=bench.jail.missing))
    )
    findings.append(Finding("kernel memory", "ok", kernel_memory()))
    for report in tiers:
        if not report.available:
            findings.append(Finding(f"sandbox tier {report.tier}", "note", report.reason))
        elif report.lacks and report.tier == chosen:
            findings.append(Finding(f"sandbox tier {report.tier}", "missing", report.lacks))
    findings.append(
        Finding("page", "ok", Wording("doctor_page"))
        if page_built
        else Finding("page", "missing", Wording("doctor_page_missing"))
    )
    packs = ", ".join(f"{pack.name} ({len(pack.tools)})" for pack in bench.packs)
    findings.append(Finding("packs", "ok", Wording("doctor_packs", packs=packs or "—")))
    for name in left_out(settings.use_packs):
        findings.append(Finding(f"pack {name}", "note", Wording("doctor_pack_left_out")))
    for name, missing in unmet(bench.packs):
        needs = Wording("doctor_pack_needs", name=name, packs=", ".join(missing))
        findings.append(Finding(f"pack {name}", "missing", needs))
    here = {tool.name for tool in bench.registry}
    for agent, gone in await bench.database.read(_agents_without, here):
        without = Wording("doctor_agent_without", tools=", ".join(gone))
        findings.append(Finding(f"agent {agent}", "note", without))
    for tool in bench.registry:
        if tool.switched_off:
            off = Wording("doctor_tool_off", why=tool.switched_off)
            findings.append(Finding(f"tool {tool.name}", "note", off))
    for row in await bench.database.read(people.all_organisations):
        named = bench.databases.of(row.id)
        if left := [name for name in carried_over(row.settings) if name not in named]:
            carried = Wording(
                "doctor_databases_carried", names=", ".join(left), of=row.name, first=left[0]
            )
            findings.append(Finding("databases", "missing", carried))
    for name, one in bench.settings.databases.items():
        if not any(each.name == name for each in bench.databases.named):
            nobody = Wording("doctor_databases_nobody", name=name, of=one.organisation)
            findings.append(Finding("databases", "missing", nobody))
    findings += await _signing_in(bench)
    findings += await _kept_files(bench)
    if old := await bench.database.read(confirmations.outdated):
        says = f"{old} that were given for a whole conversation in 0.1.0 no longer count: people are asked"
        findings.append(Finding("approvals", "note", says))
    findings += [Finding("settings", "missing", problem) for problem in unknown_variables()]
    if sys.platform != "linux":
        findings.append(Finding("system", "note", Wording("doctor_not_linux", system=sys.platform)))
    return findings


async def _kept_files(bench: Workbench) -> list[Finding]:
    """Where files are, and whether all of them are there."""
    gone = await bench.blobs.missing()
    where = bench.settings.file_store
    found = [Finding("files", "ok", where)]
    if gone:
        says = f"{len(gone)} that are named are not in {where}: `bancada files move --to {where}`"
        found = [Finding("files", "missing", says)]
    if bench.database.kind == "postgresql" and not bench.settings.secret_key:
        says = "BANCADA_SECRET_KEY is not set: the keys that sign stand in the database as they are"
        found.append(Finding("signing keys", "note", says))
    return found


async def _signing_in(bench: Workbench) -> list[Finding]:
    """The providers people sign in with, and the account that does without them."""
    settings = bench.settings
    found = [
        Finding(f"sign-in {name}", "ok", one.issuer)
        if one.enabled
        else Finding(f"sign-in {name}", "note", Wording("doctor_sign_in_off", issuer=one.issuer))
        for name, one in settings.oidc.items()
    ]
    if settings.break_glass is not None:
        key = await bench.database.read(break_glass_state, settings.break_glass)
        says = Wording("doctor_break_glass", who=settings.break_glass, state=Wording(key))
        found.append(Finding("break glass", "ok" if key == "break_glass_ok" else "missing", says))
    return found


def _agents_without(db: Connection, known: set[str]) -> list[tuple[str, list[str]]]:
    """Agents that name tools which are neither a pack's nor their organisation's own."""
    found = []
    for organisation in people.all_organisations(db):
        own = {tool.name for tool in custom_tools.current(db, organisation.id)}
        for agent in agents.agents_of(db, organisation.id):
            gone = [name for name in agent.tools if name not in known | own | {EVERY_TOOL}]
            if gone:
                found.append((agent.name, gone))
    return found


def _model(bench: Workbench) -> list[Finding]:
    settings, providers = bench.settings, bench.models.providers
    if settings.model == "offline":
        return [Finding("model", "ok", Wording("doctor_offline_chosen"))]
    if bench.models.is_offline:
        return [Finding("model", "note", Wording("doctor_offline"))]
    found = [
        Finding(f"model at {one.name}", "ok", f"{one.default} ({one.kind}) at {one.address}")
        for one in providers
    ]
    if providers.fallback:
        found.append(Finding("fallback", "ok", " → ".join(providers.fallback)))
    return found


async def _probed(bench: Workbench, provider: Provider) -> list[Finding]:
    """What the provider's server honours, asked now."""
    name = f"{provider.name} honours"
    try:
        honours = await probe_provider(bench, provider.name, by=None, via="terminal")
    except ModelFailed as failed:
        return [Finding(name, "missing", Wording("doctor_nobody_answers", why=str(failed)))]
    except NotFound:
        return []
    found = []
    for feature in FEATURES:
        result = honours.found[feature]
        says = f"{feature}: {result.finds}" + (f" ({result.says})" if result.says else "")
        found.append(Finding(name, "ok" if result.finds == "yes" else "note", says))
    return found
