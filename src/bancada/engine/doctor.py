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
from bancada.domain.json import JSONObject
from bancada.engine.packs import left_out, unmet
from bancada.engine.workbench import Workbench
from bancada.sandbox import probe
from bancada.store import agents, custom_tools, people
from bancada.store.upgrade import HEAD, revision


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    status: Literal["ok", "note", "missing"]
    says: str

    def as_json(self) -> JSONObject:
        return {"name": self.name, "status": self.status, "says": self.says}


async def examine(bench: Workbench, *, page_built: bool) -> list[Finding]:
    """Look at everything a person would ask about first."""
    settings = bench.settings
    at = await revision(bench.database)
    tiers = probe()
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
            f"{bench.database.kind}, revision {at}" + ("" if at == HEAD else f" of {HEAD}"),
        ),
        _model(bench),
        Finding("sandbox", "ok", f"tier {chosen}")
        if bench.jail.missing is None
        else Finding("sandbox", "missing", f"code is switched off: {bench.jail.missing}"),
    ]
    for report in tiers:
        if not report.available:
            findings.append(Finding(f"sandbox tier {report.tier}", "note", report.reason))
    findings.append(
        Finding("page", "ok", "built")
        if page_built
        else Finding("page", "missing", "not built: run `make web` with Node 20 or newer")
    )
    packs = ", ".join(f"{pack.name} ({len(pack.tools)} tools)" for pack in bench.packs)
    findings.append(Finding("packs", "ok", packs or "none"))
    for name in left_out(settings.use_packs):
        says = "installed, and left out by BANCADA_PACKS: its tools are not here"
        findings.append(Finding(f"pack {name}", "note", says))
    for name, missing in unmet(bench.packs):
        says = f"{name} needs the pack {', '.join(missing)}, which is not here"
        findings.append(Finding(f"pack {name}", "missing", says))
    here = {tool.name for tool in bench.registry}
    for agent, gone in await bench.database.read(_agents_without, here):
        says = f"works without {', '.join(gone)}: no pack here brings them"
        findings.append(Finding(f"agent {agent}", "note", says))
    for tool in bench.registry:
        if tool.switched_off:
            findings.append(Finding(f"tool {tool.name}", "note", f"off: {tool.switched_off}"))
    for row in await bench.database.read(people.all_organisations):
        named = bench.databases.of(row.id)
        if left := [name for name in carried_over(row.settings) if name not in named]:
            says = (
                f"{', '.join(left)} of {row.name}: no tool uses them until the operator names them"
            )
            findings.append(
                Finding("databases", "missing", f"{says} in bancada.toml, [databases.{left[0]}]")
            )
    for name, one in bench.settings.databases.items():
        if not any(each.name == name for each in bench.databases.named):
            says = f"[databases.{name}]: there is no organisation {one.organisation}"
            findings.append(Finding("databases", "missing", says))
    if sys.platform != "linux":
        findings.append(Finding("system", "note", f"{sys.platform}: the Linux walls are not here"))
    return findings


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


def _model(bench: Workbench) -> Finding:
    settings = bench.settings
    if not bench.models.is_offline:
        where = settings.anthropic_base_url or "the provider's own address"
        return Finding("model", "ok", f"{settings.anthropic_model} at {where}")
    if settings.model == "offline":
        return Finding("model", "ok", "offline, as BANCADA_MODEL says")
    return Finding(
        "model", "note", "offline: set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL for a real model"
    )
