"""Asking a provider's server what it honours, and keeping what it says."""

from __future__ import annotations

import time
from functools import partial

from sqlalchemy import Connection

from bancada.domain.errors import NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.engine.workbench import Workbench
from bancada.gate.administration import Via, note
from bancada.model.honours import Honours
from bancada.model.probing import probe
from bancada.store import probes
from bancada.store.probes import Probe


async def probe_provider(
    bench: Workbench, name: str, *, by: Person | None, via: Via = "web"
) -> Honours:
    """Ask the provider of this name; turns that begin from now on work within what it honours.

    Raises:
        ModelFailed: nobody answers there.
        NotFound: there is no such provider, or nothing to connect to.
    """
    provider = bench.models.providers.named(name)
    if provider is None or provider.upstream is None:
        raise NotFound("no_provider", name=name)
    asked = provider.default
    found = await probe(provider.upstream, asked)
    kept = Probe(provider=name, model=asked, found=found.as_json(), asked_at=time.time())
    await bench.database.run(partial(_keep, by=by, via=via), kept)
    return found


def _keep(db: Connection, kept: Probe, *, by: Person | None, via: Via) -> None:
    """Written down with who asked: it changes what later requests hold."""
    before: JSONObject = next(
        (
            one.found
            for one in probes.every(db)
            if (one.provider, one.model) == (kept.provider, kept.model)
        ),
        {},
    )
    probes.keep(db, kept)
    about = f"{kept.provider}/{kept.model}"
    note(db, by, "settings_changed", about, before=before, after=kept.found, via=via)
