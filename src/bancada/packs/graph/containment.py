"""Which relations of a graph mean "is in": proposed from its data, or declared by a person.

An edge of a containment relation points *up*, from the inner node to the outer one (`PART_OF`), or
*down*, from the outer to the inner (`CONTAINS`). What a relation means cannot be known from its
shape alone, so a proposal always says why it was made, and what was left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from bancada import JSON, JSONObject

Direction: TypeAlias = Literal["up", "down"]
Numbers: TypeAlias = NDArray[np.int32]
Ends: TypeAlias = tuple[Numbers, Numbers]

DEEPEST = 1_000
"""A relation with longer chains is a sequence, not a hierarchy."""

ALWAYS: tuple[str, ...] = ("PART_OF", "LOCATED_IN", "IN_CATEGORY", "SUBCATEGORY_OF")
"""Relations that the import format itself declares: from the inner node to the outer one."""

_UP = frozenset(
    [
        "IN",
        "INSIDE",
        "WITHIN",
        "PART_OF",
        "LOCATED_IN",
        "BELONGS_TO",
        "MEMBER_OF",
        "CHILD_OF",
        "COMPONENT_OF",
        "CONTAINED_IN",
        "SUBCLASS_OF",
        "REPORTS_TO",
        "IS_IN",
        "IS_PART_OF",
        "PARTE_DE",
        "PERTENCE_A",
        "MEMBRO_DE",
        "FILHO_DE",
        "FICA_EM",
        "ESTA_EM",
        "LOCALIZADO_EM",
        "DENTRO_DE",
        "EM",
        "REPORTA_A",
        "SUBCATEGORIA_DE",
    ]
)
_DOWN = frozenset(
    [
        "CONTAINS",
        "HAS",
        "HAS_PART",
        "INCLUDES",
        "HOLDS",
        "COMPRISES",
        "PARENT_OF",
        "HAS_CHILD",
        "HAS_MEMBER",
        "MANAGES",
        "CONTEM",
        "TEM",
        "INCLUI",
        "PAI_DE",
    ]
)
_UP_SHAPED = re.compile(r"(?:^(?:IN|INSIDE|ON|AT|EM)_)|(?:_(?:IN|INSIDE|WITHIN|ON|AT|EM)$)")
_DOWN_SHAPED = re.compile(r"^(?:HAS|TEM|HOUSES|HOSTS)_")
_OTHER = re.compile(
    r"_BY$|^(?:NEXT|PREV|PRECED|FOLLOW|CONNECT|LINK|DEPEND|MONITOR|DESCRIB|TREAT|KNOW|LIKE|FEED"
    r"|SUPPL|USE|REQUIRE|CAUSE|SIMILAR|SEE_|SAME|TRATA|SEGUE|LIGA|USA|DESCREVE|MONITORIZA)"
)
"""Names that speak of something else than a place, however tree-like the data are."""


Reason: TypeAlias = Literal[
    "declared", "format", "name_up", "name_down", "shape_up", "shape_down",
    "not_declared", "other_name", "no_one_place", "several_places", "circle", "second_place",
    "closes_circle",
]  # fmt: skip
"""Why a relation was taken for containment, or was not; the page has words of its own for each."""

WHY: Mapping[Reason, str] = {
    "declared": "declared",
    "format": "its name is one the import format declares",
    "name_up": "its name says that the source is inside",
    "name_down": "its name says that the target is inside",
    "shape_up": "each source has one place, and some places hold several",
    "shape_down": "each target has one place, and some places hold several",
    "not_declared": "not declared",
    "other_name": "its name speaks of something else",
    "no_one_place": "it does not give each node one place",
    "several_places": "it puts one node in several others",
    "circle": "its edges run in a circle, or in a very long chain",
    "second_place": "other relations already give its nodes a place",
    "closes_circle": "it would close a circle with the others",
}


@dataclass(frozen=True)
class Containment:
    """A relation that means "is in", which way it points, and why."""

    type: str
    direction: Direction = "up"
    reason: Reason = "declared"

    @property
    def guessed(self) -> bool:
        """Whether only the shape of the data speaks for it."""
        return self.reason in ("shape_up", "shape_down")

    @property
    def why(self) -> str:
        return WHY[self.reason]

    def as_json(self) -> JSONObject:
        return {
            "type": self.type,
            "direction": self.direction,
            "reason": self.reason,
            "why": self.why,
            "guessed": self.guessed,
        }

    def inner_outer(self, ends: Ends) -> Ends:
        """Sources and targets as inner and outer nodes."""
        source, target = ends
        return (source, target) if self.direction == "up" else (target, source)


@dataclass(frozen=True)
class LeftOut:
    """A relation that does not mean "is in" here, and why it was not taken."""

    type: str
    reason: Reason

    @property
    def why(self) -> str:
        return WHY[self.reason]

    def as_json(self) -> JSONObject:
        return {"type": self.type, "reason": self.reason, "why": self.why}


@dataclass(frozen=True)
class Hierarchy:
    """What counts as containment in a graph, and what does not."""

    taken: tuple[Containment, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(one.type for one in self.taken)

    @property
    def guessed(self) -> tuple[str, ...]:
        return tuple(one.type for one in self.taken if one.guessed)

    def as_json(self) -> JSONObject:
        return {
            "containment": [one.as_json() for one in self.taken],
            "not_containment": [one.as_json() for one in self.left_out],
        }

    @staticmethod
    def of(shape: Mapping[str, JSON]) -> Hierarchy:
        """Read back what `as_json` wrote."""
        return Hierarchy(
            tuple(
                Containment(one["type"], one["direction"], one["reason"])
                for one in shape["containment"]
            ),
            tuple(LeftOut(one["type"], one["reason"]) for one in shape["not_containment"]),
        )


class Undeclarable(Exception):
    """A declaration names a relation that the graph does not have, or cannot be read."""


def declared(words: Sequence[str], edges: Mapping[str, Ends]) -> Hierarchy:
    """What a person says: `TYPE`, `TYPE:up` or `TYPE:down`. Without a direction the name and the
    data choose it, and up is the last resort."""
    taken: dict[str, Containment] = {}
    for word in (part.strip() for text in words for part in text.split(",")):
        if not word:
            continue
        type, _, direction = word.partition(":")
        if type not in edges:
            there = ", ".join(edges) or "none"
            raise Undeclarable(f"The graph has no relation {type!r}. Relations: {there}.")
        if direction not in ("", *get_args(Direction)):
            raise Undeclarable(f"{word!r}: after the colon stands up or down.")
        way: Any = direction or _by_name(type) or _by_shape(edges[type]) or "up"
        taken[type] = Containment(type, way)
    rest = tuple(LeftOut(type, "not_declared") for type in edges if type not in taken)
    return Hierarchy(tuple(taken.values()), rest)


def propose(edges: Mapping[str, Ends], count: int) -> Hierarchy:
    """What the data and the relations' names say. Surer relations come first, and one that gives a
    node a second place, or closes a circle with them, is left out."""
    taken: list[Containment] = []
    left: dict[str, LeftOut] = {}
    for type in (type for type in ALWAYS if type in edges):
        taken.append(Containment(type, "up", "format"))
    rest = [type for type in edges if type not in ALWAYS]
    rest.sort(key=lambda type: (_rank(type), -len(edges[type][0]), type))
    placed = _placed(taken, edges, count)
    for type in rest:
        found = _judged(type, edges[type], count)
        if isinstance(found, Containment):
            found = _beside(found, taken, edges, count, placed)
        if isinstance(found, LeftOut):
            left[type] = found
        else:
            taken.append(found)
            placed |= _placed([found], edges, count)
    return Hierarchy(tuple(taken), tuple(left[type] for type in edges if type in left))


def _rank(type: str) -> int:
    if type.upper() in _UP | _DOWN:
        return 0
    return 1 if _by_name(type) else 2


def _by_name(type: str) -> Direction | None:
    """Which way a relation of this name points, if its name tells."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type).upper()
    if name in _UP or _UP_SHAPED.search(name):
        return "up"
    if name in _DOWN or _DOWN_SHAPED.search(name):
        return "down"
    return None


def _by_shape(ends: Ends) -> Direction | None:
    """Which way the edges fan out: each inner node has one outer, some outer has several inner."""
    source, target = _once(ends)
    most_targets, most_sources = _most(source), _most(target)
    if most_targets == 1 and most_sources > 1:
        return "up"
    if most_sources == 1 and most_targets > 1:
        return "down"
    return None


def _judged(type: str, ends: Ends, count: int) -> Containment | LeftOut:
    """One relation by itself."""
    named, shaped = _by_name(type), _by_shape(ends)
    direction = named or shaped
    if named is None and _OTHER.search(type.upper()):
        return LeftOut(type, "other_name")
    if direction is None:
        return LeftOut(type, "no_one_place")
    inner, outer = Containment(type, direction).inner_outer(_once(ends))
    tree = _most(inner) == 1
    if not tree and _rank(type) > 0:
        return LeftOut(type, "several_places")
    if not _is_layered(inner, outer, count):
        return LeftOut(type, "circle")
    if direction == "up":
        return Containment(type, "up", "shape_up" if named is None else "name_up")
    return Containment(type, "down", "shape_down" if named is None else "name_down")


def _beside(
    found: Containment,
    taken: Sequence[Containment],
    edges: Mapping[str, Ends],
    count: int,
    placed: NDArray[np.bool_],
) -> Containment | LeftOut:
    """Whether a relation goes together with those already taken."""
    inner, _ = found.inner_outer(edges[found.type])
    if found.guessed and placed[inner].any():
        return LeftOut(found.type, "second_place")
    all_inner, all_outer = joined([*taken, found], edges)
    if taken and not _is_layered(all_inner, all_outer, count):
        return LeftOut(found.type, "closes_circle")
    return found


def joined(taken: Sequence[Containment], edges: Mapping[str, Ends]) -> Ends:
    """The inner and outer ends of all these relations, one after the other."""
    nothing = np.empty(0, np.int32)
    pairs = [one.inner_outer(edges[one.type]) for one in taken if one.type in edges]
    return (
        np.concatenate([nothing, *(inner for inner, _ in pairs)]),
        np.concatenate([nothing, *(outer for _, outer in pairs)]),
    )


def _placed(
    taken: Sequence[Containment], edges: Mapping[str, Ends], count: int
) -> NDArray[np.bool_]:
    """Which nodes these relations put somewhere."""
    there = np.zeros(count, bool)
    there[joined(taken, edges)[0]] = True
    return there


def _once(ends: Ends) -> Ends:
    """Every pair of nodes once."""
    pairs = np.unique(np.stack(ends), axis=1)
    return pairs[0], pairs[1]


def _most(nodes: Numbers) -> int:
    """How often the most frequent node stands here."""
    return int(np.bincount(nodes, minlength=1).max())


def _is_layered(inner: Numbers, outer: Numbers, count: int) -> bool:
    """Whether peeling off the outermost nodes, layer by layer, leaves nothing."""
    left = np.bincount(inner, minlength=count)
    order = np.argsort(outer, kind="stable")
    sorted_outer, sorted_inner = outer[order], inner[order]
    peeled = 0
    for layer in _layers(left, sorted_outer, sorted_inner):
        peeled += layer
    return peeled == count


def _layers(left: NDArray[np.int64], outer: Numbers, inner: Numbers) -> Iterator[int]:
    """The sizes of the layers; `left` counts what still holds each node."""
    frontier = np.flatnonzero(left == 0)
    for _ in range(DEEPEST):
        yield len(frontier)
        if not len(frontier):
            return
        first = np.searchsorted(outer, frontier, "left")
        last = np.searchsorted(outer, frontier, "right")
        sizes = last - first
        places = np.repeat(first - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        ends = inner[places]
        np.subtract.at(left, ends, 1)
        frontier = np.unique(ends[left[ends] == 0])
