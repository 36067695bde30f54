"""An organisation's graph on every machine: what one imported, the others fetch when they are asked."""

from __future__ import annotations

from pathlib import Path

from bancada import KeptFolders
from bancada.packs.graph import shelf

NAME = "graph"


def catch_up(kept: KeptFolders, home: Path, organisation_id: int) -> None:
    """Have the newest graph in `home`, whoever imported it; one that only this machine has is handed
    to the others. Call it from a thread."""
    newest, here = kept.newest(organisation_id, NAME), shelf.current(home)
    if newest is None:
        if here is not None:
            kept.keep(organisation_id, NAME, here.name, here.folder)
        return
    if here is None or here.name != newest:
        with shelf.aside(home) as place:
            kept.bring(organisation_id, NAME, place)
            shelf.publish(place, home)


def hand_out(kept: KeptFolders, home: Path, organisation_id: int) -> None:
    """Let every machine have the current graph of this one. Call it from a thread."""
    here = shelf.current(home)
    if here is not None:
        kept.keep(organisation_id, NAME, here.name, here.folder)
