"""The panel's page about an organisation's graph: what there is, an import by upload, and what
counts as containment. For administrators, and their own organisation's graph alone."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, File, Form, UploadFile
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from bancada import (
    Administrator,
    Invalid,
    Jail,
    KeptFolders,
    NotFound,
    Recorded,
    documented,
    pack_folder,
    pack_jail,
    pack_kept,
)
from bancada.packs.graph import shelf
from bancada.packs.graph.columnar import as_csv
from bancada.packs.graph.containment import Direction, Reason
from bancada.packs.graph.engine import MISSING
from bancada.packs.graph.importer import (
    Imported,
    ImportFailed,
    Source,
    change_containment,
    current_graph,
    facts,
    import_graph,
)
from bancada.packs.graph.sharing import catch_up, hand_out

router = APIRouter(tags=["graph"])

CHUNK = 1 << 20
_ENDINGS = (".csv", ".tsv", ".txt", ".parquet")

# Each import holds a core and a gigabyte of address space: a few wait rather than all run.
_IMPORTS = asyncio.Semaphore(2)

PackFolder = Annotated[Path, Depends(pack_folder("graph"))]
PackKept = Annotated[KeptFolders, Depends(pack_kept("graph"))]
PackJail = Annotated[Jail, Depends(pack_jail)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]
Types = Annotated[str, StringConstraints(max_length=10_000)]


class LabelOut(BaseModel):
    label: str
    count: int
    kinds: dict[str, int]


class RelationOut(BaseModel):
    """A relation, and whether it counts as containment."""

    type: str
    count: int
    containment: bool
    direction: Direction | None
    reason: Reason
    guessed: bool


class GraphOut(BaseModel):
    """An organisation's graph."""

    name: str
    demo: bool
    imported_at: str
    nodes: int
    edges: int
    labels: list[LabelOut]
    relations: list[RelationOut]


class GraphState(BaseModel):
    graph: GraphOut | None
    missing: bool
    """Whether this installation lacks the engine, so that nothing can be imported."""


class ContainmentIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    containment: Annotated[
        list[Annotated[str, StringConstraints(min_length=1, max_length=80)]], Field(max_length=200)
    ]
    """`TYPE`, `TYPE:up` or `TYPE:down`; an empty list: proposed from the data again."""


@router.get("/admin/graph", responses=documented(401, 403))
async def shown(admin: Administrator, folder: PackFolder, kept: PackKept) -> GraphState:
    """Your organisation's graph: labels, relations, and what counts as containment."""
    home = shelf.of_organisation(folder, admin.organisation_id)
    await asyncio.to_thread(catch_up, kept, home, admin.organisation_id)
    return await asyncio.to_thread(_state, home)


@router.post("/admin/graph/upload", responses=documented(401, 403, 413, 422))
async def upload(
    admin: Administrator,
    folder: PackFolder,
    kept: PackKept,
    jail: PackJail,
    record: Recorded,
    nodes: Annotated[UploadFile, File(description="CSV or Parquet: id, label, name, …")],
    edges: Annotated[UploadFile, File(description="CSV or Parquet: source, target, type, …")],
    words: Annotated[UploadFile | None, File(description="What people call labels.")] = None,
    name: Annotated[Name, Form()] = "",
    containment: Annotated[Types, Form(description="TYPE[:up|:down], …")] = "",
) -> GraphState:
    """Replace your organisation's graph by that of the files; a mistake in them changes nothing."""
    home = shelf.of_organisation(folder, admin.organisation_id)
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home, prefix="building-upload-") as place:
        source = Source(
            nodes=await _saved(nodes, Path(place), "nodes", jail),
            edges=await _saved(edges, Path(place), "edges", jail),
            words=None if words is None else await _saved(words, Path(place), "words", jail),
            name=name or Path(nodes.filename or "graph").stem[:120],
            containment=tuple(containment.split(",")),
        )
        async with _IMPORTS:
            await asyncio.to_thread(catch_up, kept, home, admin.organisation_id)
            before = await asyncio.to_thread(current_graph, home)
            try:
                after = await asyncio.to_thread(import_graph, source, home)
            except ImportFailed as failure:
                raise Invalid("graph_not_imported", problems=str(failure)) from failure
            await asyncio.to_thread(hand_out, kept, home, admin.organisation_id)
            await record.data_changed("graph", before=facts(before), after=facts(after))
    return await asyncio.to_thread(_state, home)


@router.patch("/admin/graph", responses=documented(401, 403, 404, 422))
async def declare(
    body: ContainmentIn,
    admin: Administrator,
    folder: PackFolder,
    kept: PackKept,
    record: Recorded,
) -> GraphState:
    """Say which relations mean "is in"; an empty list proposes them from the data again."""
    home = shelf.of_organisation(folder, admin.organisation_id)
    await asyncio.to_thread(catch_up, kept, home, admin.organisation_id)
    before = await asyncio.to_thread(current_graph, home)
    try:
        changed = await asyncio.to_thread(change_containment, home, body.containment)
    except ImportFailed as failure:
        raise Invalid("containment_not_changed", problems=str(failure)) from failure
    if changed is None:
        raise NotFound("no_graph")
    await asyncio.to_thread(hand_out, kept, home, admin.organisation_id)
    after = await asyncio.to_thread(current_graph, home)
    await record.data_changed("graph", before=facts(before), after=facts(after))
    return await asyncio.to_thread(_state, home)


async def _saved(file: UploadFile, place: Path, called: str, jail: Jail) -> Path:
    """The file under a name of ours; its ending says how to read it. Parquet becomes CSV."""
    ending = Path(file.filename or "").suffix.lower()
    target = place / f"{called}{ending if ending in _ENDINGS else '.csv'}"
    with target.open("wb") as out:
        while chunk := await file.read(CHUNK):
            await asyncio.to_thread(out.write, chunk)
    if ending != ".parquet":
        return target
    return await as_csv(jail, target, called=target.name)


def _state(home: Path) -> GraphState:
    found, at = current_graph(home), shelf.imported_at(home)
    shown = None if found is None or at is None else _graph(found, at.isoformat())
    return GraphState(graph=shown, missing=MISSING is not None)


def _graph(found: Imported, at: str) -> GraphOut:
    taken = {one.type: one for one in found.about.hierarchy.taken}
    left = {one.type: one.reason for one in found.about.hierarchy.left_out}
    return GraphOut(
        name=found.about.name,
        demo=found.about.demo,
        imported_at=at,
        nodes=found.nodes,
        edges=found.edges,
        labels=[
            LabelOut(label=label, count=info.count, kinds=dict(info.kinds))
            for label, info in found.schema.labels.items()
        ],
        relations=[
            RelationOut(
                type=type,
                count=info.count,
                containment=type in taken,
                direction=taken[type].direction if type in taken else None,
                reason=taken[type].reason if type in taken else left.get(type, "not_declared"),
                guessed=type in taken and taken[type].guessed,
            )
            for type, info in found.schema.relationships.items()
        ],
    )
