"""Packs that are installed, and those of them that this installation uses (`BANCADA_PACKS`)."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias

from bancada.domain.errors import BadDefinition, SettingsError
from bancada.tools.pack import Pack, Services

log = logging.getLogger(__name__)

PACKS = "bancada.packs"
"""The entry-point group of packs."""

Build: TypeAlias = Callable[[Services], Pack]
"""What an entry point of that group names."""


def brought(group: str) -> list[EntryPoint]:
    """What is installed under an entry-point group, in the order of its names."""
    return list(_brought(group, tuple(sys.path)))


@cache
def _brought(group: str, path: tuple[str, ...]) -> list[EntryPoint]:
    # Every installed distribution is read for this: once for a path, not at every question.
    return sorted(entry_points(group=group), key=lambda entry: entry.name)


def installed() -> list[EntryPoint]:
    """Every pack there is, in the order of their names."""
    return brought(PACKS)


def chosen(names: Collection[str] | None) -> list[EntryPoint]:
    """The packs to use: those named, or all. Raises `SettingsError` for a name nobody brings."""
    known = installed()
    if names is None:
        return known
    strange = sorted(set(names) - {entry.name for entry in known})
    if strange:
        raise SettingsError(
            f"BANCADA_PACKS names {', '.join(strange)}, which is not installed. "
            f"Installed packs: {', '.join(entry.name for entry in known)}."
        )
    return [entry for entry in known if entry.name in names]


def left_out(names: Collection[str] | None) -> list[str]:
    """Packs that are installed and not used."""
    used = chosen(names)
    return [entry.name for entry in installed() if entry not in used]


def load_packs(builds: Mapping[str, Build], make_services: Callable[[str], Services]) -> list[Pack]:
    """Build these packs; one that needs another which is not among them is told in the log."""
    packs: list[Pack] = []
    for name, build in builds.items():
        pack = build(make_services(name))
        if not isinstance(pack, Pack):
            raise BadDefinition(f"The entry point {name} does not build a pack.")
        packs.append(pack)
    for name, missing in unmet(packs):
        log.warning("The pack %s needs %s, which is not here", name, ", ".join(missing))
    return packs


def unmet(packs: Sequence[Pack]) -> list[tuple[str, list[str]]]:
    """Packs that need others which are not here, with the names of those."""
    here = {pack.name for pack in packs}
    lacks = [(pack.name, [name for name in pack.needs if name not in here]) for pack in packs]
    return [(pack, missing) for pack, missing in lacks if missing]
