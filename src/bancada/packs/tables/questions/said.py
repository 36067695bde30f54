"""A question as far as it was said, and as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from bancada.packs.tables.questions.atoms import Atom
from bancada.packs.tables.questions.question import (
    Condition,
    Form,
    Group,
    Having,
    Measure,
    Operation,
    Order,
    Rank,
    TableQuestion,
    Trouble,
)
from bancada.packs.tables.questions.schema import AskedTable


@dataclass
class SaidQuestion:
    """A question as far as it was said: what leans on the one before is incomplete."""

    table: AskedTable
    atoms: list[Atom]
    measures: list[Measure] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    part: list[Condition] = field(default_factory=list)
    versus: list[Condition] = field(default_factory=list)
    rank: Rank | None = None
    having: Having | None = None
    form: Form | None = None
    kind: str = "figures"
    rows: int = 10
    shares: bool = False
    running: bool = False
    operations: list[Operation] = field(default_factory=list)
    """Said without a column: of the one before, or of none."""
    superlative: Order | None = None
    counts: bool = False
    """Rows are named, or counted."""
    loosely: bool = False
    sets_against: bool = False
    goes_on: bool = False
    names_file: bool = False
    touches: bool = False
    """Something of this very table is named: a column, a value, its word for a row."""
    unknown: list[str] = field(default_factory=list)
    trouble: Trouble | None = None

    @property
    def asks(self) -> bool:
        """Whether it is a question by itself."""
        return bool(
            self.measures
            or self.groups
            or self.counts
            or self.part
            or self.versus
            or self.kind != "figures"
        )


def asked(said: SaidQuestion) -> TableQuestion:
    """What was said as a whole question."""
    trouble = said.trouble
    if said.unknown:
        trouble = Trouble("unknown", tuple(dict.fromkeys(said.unknown)))
    elif trouble is None and said.kind == "figures" and (said.operations or said.superlative):
        numbers = tuple(one for one in said.table.columns if one.is_number)
        trouble = Trouble("needs_number", (), numbers)
    elif trouble is None and said.kind == "figures" and said.rank and not said.groups:
        trouble = Trouble("needs_column")
    kept = {one.name: getattr(said, one.name) for one in fields(TableQuestion)}
    kept |= {name: tuple(value) for name, value in kept.items() if isinstance(value, list)}
    groups = tuple(dict.fromkeys(said.groups))
    return TableQuestion(**kept | {"groups": groups, "trouble": trouble})
