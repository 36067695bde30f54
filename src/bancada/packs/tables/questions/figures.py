"""What is counted, added up, ranked and by which groups."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import cast

from bancada import plain
from bancada.packs.tables.questions.atoms import Atom
from bancada.packs.tables.questions.dates import Period
from bancada.packs.tables.questions.limits import ConditionWalk
from bancada.packs.tables.questions.question import (
    Condition,
    Group,
    Measure,
    Operation,
    Order,
    Trouble,
    Unit,
)
from bancada.packs.tables.questions.schema import AskedColumn

STATISTICS: tuple[Operation, ...] = ("avg", "median", "min", "max", "deviation")


class Figures(ConditionWalk):
    """Reads measures, orders and groups."""

    def _operation(self, atom: Atom) -> None:
        operations = [cast(Operation, atom.value)]
        was_named = self._before().tag == "col"
        called = plain(atom.text)
        while True:
            if self._next().tag == "operation":
                operations.append(self._next().value)
                self.at += 1
            elif self._next().tag == "and" and self._next(1).tag == "operation":
                operations.append(self._next(1).value)
                self.at += 2
            else:
                break
        if self._next().tag == "row" and not (was_named and self.bare and self.bare[-1].is_number):
            if operations == ["sum"]:
                self.counting = True
                return
            self._lost(atom.text)
            return
        if self._next().tag == "rows" and operations == ["sum"]:
            return
        while self._next().tag == "column":
            self.at += 1
        numbers_ahead = any(one.is_number for one in self._next().columns)
        if self.bare and self.bare[-1].is_number and was_named and not numbers_ahead:
            columns = [self.bare.pop()]  # "custo médio das linhas L1 e L2"
        else:
            columns = self._columns_ahead()
        if not columns and self.bare and was_named:
            columns = [self.bare.pop()]
        if self.subjects and columns and operations in (["max"], ["min"]):
            self._ordered("most" if operations == ["max"] else "least")
        if not columns and operations == ["sum"]:
            columns = [one for one in self.table.columns if one.adds_up and one.words == (called,)]
        if not columns:
            self.said.operations += operations
            self.idle.append(atom.text)
            return
        for column in columns:
            for operation in operations:
                self._measured(operation, column, atom)

    def _columns_ahead(self) -> list[AskedColumn]:
        """The columns that follow, joined or one; `soma de valor e quantidade`."""
        found: list[AskedColumn] = []
        while self._next(bool(found)).tag == "col" and (not found or self._next().tag == "and"):
            atom = self._next(bool(found))
            after = self._next(1 + bool(found))
            if found and (after.tag in ("value", "compare", "operation", "unknown")):
                break
            column = self._one(atom, wants="is_number") or self._one(atom)
            if column is None or (found and not column.is_number):
                break
            self.at += 1 + bool(found)
            self.said.touches = True
            found.append(column)
        return found

    def _measured(self, operation: Operation, column: AskedColumn, atom: Atom) -> None:
        timely = column.is_date and operation in ("min", "max")
        if not (column.is_number or timely or operation in ("distinct", "count")):
            numbers = tuple(one for one in self.table.columns if one.is_number)
            self.said.trouble = self.said.trouble or Trouble("needs_number", (), numbers)
            return
        measure = Measure(operation, column)
        if measure not in self.said.measures:
            self.said.measures.append(measure)

    def _statistics(self, atom: Atom) -> None:
        columns = self._columns_ahead()
        if not columns:
            self._lost(atom.text)
        for column in columns:
            for operation in STATISTICS:
                self._measured(operation, column, atom)

    def _count(self, atom: Atom) -> None:
        self.counting = True
        if self._next().tag == "distinct":
            self.distinct = True
            self.at += 1
        if self._next().tag == "col" and not self._is_chosen(self._next(), self._next(1)):
            column = self._one(self._next())
            if column is None:
                return
            self.at += 1
            self.said.touches = True
            if self._next().tag == "distinct":
                self.at += 1
                self.said.measures.append(Measure("distinct", column))
            elif column.adds_up and not self.distinct:
                self.said.measures.append(Measure("sum", column))
            else:
                self.said.measures.append(Measure("distinct", column))
            self.distinct = False
        elif self._next().tag == "unit":
            self._lost(self._next().text)
            self.at += 1

    def _is_chosen(self, column: Atom, after: Atom) -> bool:
        """Whether what follows a column says which of its rows: `quantos turno noite`."""
        return after.tag == "compare" or any(of in column.columns for of, _ in after.values)

    def _much(self, atom: Atom) -> None:
        column = self._one(self._next(), wants="is_number") if self._next().tag == "col" else None
        if column is None:
            if self._next().tag not in ("row", "operation"):
                self._lost(atom.text)
            return
        self.at += 1
        self._measured("sum" if column.adds_up else "avg", column, atom)

    def _distinct(self, atom: Atom) -> None:
        while self._next().tag in ("soft", "column"):
            self.at += 1
        if self._next().tag == "col":
            column = self._one(self._next())
            self.at += 1
        elif self.bare:
            column = self.bare.pop()
        else:
            column = None
        if column is None:
            self._lost(atom.text)
        else:
            self.said.measures.append(Measure("distinct", column))

    def _recent(self, atom: Atom) -> None:
        if self._next().tag == "col":
            column = self._one(self._next(), wants="is_date")
            self.at += 1
        elif self.bare and self.bare[-1].is_date:
            column = self.bare.pop()
        else:
            column = self._date_column()
        if column is not None:
            self._measured(atom.value, column, atom)

    def _row(self, atom: Atom) -> None:
        self.row_word = True

    def _soft(self, atom: Atom) -> None:
        near = {"empty", "distinct", "frequent", "superlative", "list", "column", "share", "rank",
                "sample", "which", "recent", "count"}  # fmt: skip
        if not near & {self._next().tag, self._before().tag, self._before(3).tag}:
            self._lost(atom.text)

    # ------------------------------------------------------------------ orders

    def _rank(self, atom: Atom) -> None:
        order: Order = atom.value
        follows = self._next()
        if follows.tag == "col":
            column = self._one(follows, wants="is_number")
            if column is not None and not any(not one.is_number for one in follows.columns):
                self.at += 1
                self.said.touches = True
                self.by_rank = Measure("sum" if column.adds_up else "avg", column)
        self._ordered(order)

    def _ordered(self, order: Order) -> None:
        if self.rank_order is not None and self.rank_order != order:
            order = self.rank_order
        self.rank_order = order

    def _superlative(self, atom: Atom) -> None:
        order: Order = atom.value
        while self._next().tag == "soft" and self._next(1).tag == "col":
            self.at += 1
        follows = self._next()
        if follows.tag == "operation" and self._next(1).tag == "col":
            self._ordered(order)  # the highest sum of a column
        elif follows.tag == "col" and (column := self._one(follows, wants="is_number")):
            self.at += 1
            self.said.touches = True
            self.superlatives.append((order, column))
        elif follows.tag in ("count", "share"):
            self._ordered(order)
        elif self.bare and self._before().tag == "col" and self.bare[-1].is_number:
            self.superlatives.append((order, self.bare.pop()))
        elif follows.tag == "row":
            numbers = tuple(one for one in self.table.columns if one.is_number)
            self.said.trouble = self.said.trouble or Trouble("needs_number", (), numbers)
        else:
            self.said.superlative = order

    def _frequent(self, atom: Atom) -> None:
        self.frequent = True
        said = plain(atom.text)
        self.several |= any(one in said for one in ("values", "valores", "frequentes", "comuns"))
        self._ordered(atom.value)

    def _place(self, atom: Atom) -> None:
        self.place = int(atom.value)
        if self._next().tag == "superlative" or self._next().tag in ("frequent", "rank", "col"):
            return

    def _number(self, atom: Atom) -> None:
        before = self._before()
        if before.tag == "col" and self.bare and self.bare[-1].is_number:
            column = self.bare.pop()
            self._keep(Condition(column, "in", (atom.value,), but=self.negated))
            self._more_numbers(column)
            return
        text = f"{before.text} {atom.text}" if before.tag == "col" else atom.text
        if before.tag == "col" and self.bare and self.bare[-1].family == "text":
            self._named_value(self.bare[-1], atom, text)
            return
        self.numbers.append((atom.value, atom.text))

    def _more_numbers(self, column: AskedColumn) -> None:
        """`posição 3 e 4`."""
        while self._next().tag == "and" and self._next(1).tag == "number":
            if self._next(2).tag in ("col", "rank", "row", "frequent"):
                return
            self._keep(Condition(column, "in", (self._next(1).value,), but=self.negated))
            self.at += 2

    # ------------------------------------------------------------------ groups

    def _which(self, atom: Atom) -> None:
        while self._next().tag in ("number", "place", "is"):
            follow = self._next()
            self.at += 1
            self.told[follow.tag](follow)
        second = self._next(1)
        extreme = second.tag == "operation" and second.value in ("min", "max")
        if self._next().tag == "col" and (extreme or second.tag not in ("operation", "empty")):
            column = self._one(self._next())
            if column is None or (column.is_number and not second.tag):
                return
            if (extreme or second.tag in ("superlative", "recent")) and not self._names_things(
                column
            ):
                return
            if not column.is_number or second.tag in ("rank", "superlative"):
                self.at += 1
                self.said.touches = True
                if column.is_date and second.tag == "recent":
                    self.bare.append(column)
                else:
                    self.subjects.append(Group(column))
        elif self._next().tag == "unit":
            self._unit_subject(self._next())
            self.at += 1

    def _names_things(self, column: AskedColumn) -> bool:
        return not (column.is_number or column.is_date)

    def _unit_subject(self, atom: Atom) -> None:
        self.subjects += self._in_unit(self._date_column(), atom)

    def _in_unit(self, column: AskedColumn | None, atom: Atom) -> list[Group]:
        """A column by a unit of time; a date by itself has no hours."""
        unit = cast(Unit, atom.value)
        if column is not None and unit == "hour" and column.family == "date":
            hours = [one for one in self.table.columns if one.family == "time"]
            if len(hours) != 1:
                self._lost(atom.text)
                return []
            column = hours[0]
        return [] if column is None else [Group(column, unit)]

    def _list(self, atom: Atom) -> None:
        self.listing = True

    def _by(self, atom: Atom) -> None:
        found = False
        while True:
            follows = self._next()
            if follows.tag == "col":
                column = self._one(follows)
                after = self._next(1)
                if column is None:
                    return
                if after.tag == "value" and any(of is column for of, _ in after.values):
                    return  # "por turno da noite" is said of a value
                self.at += 1
                self.said.touches = True
                self._grouped(column)
            elif follows.tag == "unit":
                self.at += 1
                self.said.groups += self._in_unit(self._unit_column(), follows)
            elif follows.tag == "value" and not found:
                return
            elif follows.tag in ("row", "rows") and self.subjects and not found:
                self._ordered("most")  # "o segundo operador por defeitos"
                return
            else:
                if not found and follows.tag != "unknown":
                    self._lost(atom.text)
                return
            found = True
            if self._next().tag == "and" and self._next(1).tag in ("col", "unit", "by"):
                second = self._next(2)
                if self._next(1).tag == "col" and second.tag in ("value", "compare"):
                    return
                self.at += 1 + (self._next(1).tag == "by")
            else:
                return

    def _grouped(self, column: AskedColumn) -> None:
        """Groups, or what ranks them: `top 2 clientes por valor`."""
        if column.is_number and (self.subjects or self.rank_order) and not column.is_code:
            self.by_rank = Measure("sum" if column.adds_up else "avg", column)
        else:
            self.said.groups.append(Group(column))

    def _unit_column(self) -> AskedColumn | None:
        """The dates that a unit is of: those named after it, or the only ones."""
        follows = self._next()
        if follows.tag == "col" and any(one.is_date for one in follows.columns):
            self.at += 1
            return self._one(follows, wants="is_date")
        return self._date_column(self._before(1).text)

    def _week_of_a_day(self) -> bool:
        """`a semana de 2 de março`: all its days, not that one only."""
        day = self._next().value
        if self._next().tag != "period" or not (day.start and day.end):
            return False
        if (day.end - day.start).days != 1:
            return False
        monday = day.start - timedelta(days=day.start.weekday())
        week = Period(monday, monday + timedelta(days=7))
        self.atoms[self.at] = replace(self._next(), value=week)
        return True

    def _unit(self, atom: Atom) -> None:
        if self._before().tag in ("which", "rank", "superlative", "number", "is", "only"):
            self._unit_subject(atom)
            return
        if atom.value == "week" and self._week_of_a_day():
            return
        self.said.groups += self._in_unit(self._unit_column(), atom)
