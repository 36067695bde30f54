"""What the meanings of a question ask for together.

Every meaning must be used. One that is left over makes the whole question not understood: a
condition that nobody applied would make its figure wrong.
"""

from __future__ import annotations

from bancada import plain
from bancada.packs.tables.questions.atoms import Atom, atoms_of
from bancada.packs.tables.questions.dates import Calendar
from bancada.packs.tables.questions.question import (
    Condition,
    Form,
    Group,
)
from bancada.packs.tables.questions.said import SaidQuestion
from bancada.packs.tables.questions.schema import AskedColumn, AskedTable
from bancada.packs.tables.questions.settling import Settling

NEGATABLE = frozenset(
    ("value", "and", "not", "col", "period", "quoted", "compare", "is", "unknown")
)
"""Meanings that a "not" before them reaches, or reaches through."""
NAMES = frozenset(("nome", "name"))
PEOPLE = frozenset(
    (
        "operador", "operator", "vendedor", "seller", "salesperson", "rep", "tecnico",
        "technician", "colaborador", "funcionario", "empregado", "employee", "trabalhador",
        "worker", "pessoa", "person", "aluno", "student",
    )
)  # fmt: skip
"""Words of columns that say who."""
YES = frozenset(("sim", "yes", "true", "verdadeiro", "verdade"))
NO = frozenset(("nao", "no", "false", "falso"))
SKIPPED = frozenset(("show", "only", "go_on", "file", "rows_word", "column"))
"""Meanings that change nothing by themselves."""


def read_words(text: str, table: AskedTable, calendar: Calendar) -> SaidQuestion:
    return Interpreter(table, atoms_of(text, table, calendar)).read()


class Interpreter(Settling):
    """Goes through the meanings once, then settles what they leave open."""

    def __init__(self, table: AskedTable, atoms: list[Atom]) -> None:
        super().__init__(table, atoms)
        self.told = {
            "operation": self._operation, "count": self._count, "much": self._much,
            "distinct": self._distinct, "rank": self._rank, "superlative": self._superlative,
            "frequent": self._frequent, "recent": self._recent, "place": self._place,
            "empty": self._empty, "columns": self._columns, "sample": self._sample,
            "rows": self._row, "row": self._row, "by": self._by, "unit": self._unit,
            "form": self._form, "which": self._which, "list": self._list,
            "statistics": self._statistics, "not": self._not, "compare": self._compare,
            "since": self._time_word, "until": self._time_word, "before": self._time_word,
            "after": self._time_word, "between": self._between, "share": self._share,
            "pareto": self._pareto, "versus": self._versus, "is": self._is, "and": self._and,
            "soft": self._soft, "who": self._who, "col": self._col, "value": self._value, "period": self._period,
            "number": self._number, "quoted": self._quoted, "unknown": self._unknown,
        }  # fmt: skip

    def read(self) -> SaidQuestion:
        said = self.said
        said.goes_on = bool(self.atoms) and (
            self.atoms[0].tag in ("go_on", "only") or self.atoms[0].tag == "and"
        )
        while self.at < len(self.atoms):
            atom = self.atoms[self.at]
            self.at += 1
            if atom.tag in ("col", "value", "row"):
                said.touches = True
            if atom.tag == "file":
                said.names_file = True
            joined = self._before().tag in ("not", "and", "col", "is", "compare")
            if atom.tag not in NEGATABLE or not (joined or atom.tag == "and"):
                # "sem lixo em fevereiro": what is left out ends where the list of it does.
                self.negated = False
            if atom.tag in SKIPPED:
                continue
            self.told[atom.tag](atom)
        self._settle()
        return said

    def _col(self, atom: Atom) -> None:
        follows = self._next()
        if self._before().tag == "number" and self.numbers and self._next().tag != "compare":
            column = self._one(atom)
            if column is not None and not column.is_number:
                self.subjects.append(Group(column))  # "os 3 clientes com mais valor"
                return
        if self._before().tag in ("rank", "place", "versus", "frequent") and follows.tag not in (
            "value",
        ):
            column = self._one(atom)
            if column is not None and not column.is_number:
                self.subjects.append(Group(column))
                self._more_subjects()
                return
        if follows.tag == "frequent" or (follows.tag == "soft" and self.frequent):
            column = self._one(atom)
            if column is not None:
                self.subjects.append(Group(column))
            return
        if follows.tag == "value":
            fitting = [one for one in atom.columns if any(one is of for of, _ in follows.values)]
            column = fitting[0] if len(fitting) == 1 else self._one(atom)
        elif (follows.tag == "compare" and follows.value != "=") or follows.tag in (
            "operation",
            "superlative",
            "number",
            "between",
        ):
            column = self._one(atom, wants="is_number") or self._one(atom)
        elif follows.tag in ("period", "since", "until", "before", "after", "recent"):
            column = self._one(atom, wants="is_date") or self._one(atom)
        else:
            column = self._one(atom)
        if column is not None:
            self.texts[column] = atom.text
            self.bare.append(column)
            if column.family == "boolean":
                self._yes_or_no(column)

    def _yes_or_no(self, column: AskedColumn) -> None:
        """`pago = sim`, `pago não`: the value of a yes-or-no column, if it is said."""
        ahead = 0
        while self._next(ahead).tag == "is" or self._next(ahead).value == "=":
            ahead += 1
        said = plain(self._next(ahead).text)
        if said in YES or said in NO:
            self.at += ahead + 1
            self.bare.pop()
            self._keep(Condition(column, "in", (said in YES,), but=self.negated))
            self.negated = False

    def _who(self, atom: Atom) -> None:
        """A person: the column of names, where there is one."""
        named = [one for one in self.table.columns if NAMES.intersection(one.words)]
        named = named or [
            one
            for one in self.table.columns
            if one.family == "text" and PEOPLE.intersection(one.words)
        ]
        if len(named) == 1:
            self.subjects.append(Group(named[0]))
        else:
            self._lost(atom.text)

    def _more_subjects(self) -> None:
        while self._next().tag == "and" and self._next(1).tag == "col":
            column = self._one(self._next(1))
            if column is None or column.is_number:
                return
            self.subjects.append(Group(column))
            self.at += 2

    def _empty(self, atom: Atom) -> None:
        if self.bare and self._before().tag == "col" and self.row_word:
            self._keep(Condition(self.bare.pop(), "empty", but=self.negated))
            self.negated = False
        else:
            self.empty = True

    def _columns(self, atom: Atom) -> None:
        self.said.kind = "columns"

    def _sample(self, atom: Atom) -> None:
        self.sample = True

    def _form(self, atom: Atom) -> None:
        widget, _, kind = str(atom.value).partition(" ")
        old = self.said.form
        if kind == "kept":
            form = Form("chart", old.chart if old else None, kept=True)
        else:
            form = Form(widget, kind or None)  # type: ignore[arg-type]
        if old is None or old.chart is None:
            self.said.form = form

    def _share(self, atom: Atom) -> None:
        self.share = True

    def _pareto(self, atom: Atom) -> None:
        self.said.running = self.said.shares = True
        self.said.form = self.said.form or Form("chart", "bar")

    def _versus(self, atom: Atom) -> None:
        self.said.sets_against = True

    def _is(self, atom: Atom) -> None:
        if self.share and (self.said.conditions or self.row_word or self.counting):
            self.is_seen = True
        if self._next().tag == "and":
            return

    def _and(self, atom: Atom) -> None:
        """Joins what stands on both sides; by itself it says nothing."""
