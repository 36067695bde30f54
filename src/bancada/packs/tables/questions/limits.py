"""What rows must hold: values, comparisons, periods, and what is left out."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import cast

from bancada import plain
from bancada.packs.tables.questions.atoms import Atom
from bancada.packs.tables.questions.dates import Period
from bancada.packs.tables.questions.question import (
    Condition,
    Having,
    Scalar,
    Sign,
    Trouble,
)
from bancada.packs.tables.questions.schema import AskedColumn
from bancada.packs.tables.questions.walk import Walk

DENIALS = frozenset(("nao", "not", "isn", "aren", "nem", "nor", "neither"))
"""Words that deny; the others leave out."""


def _numbers_in(value: str) -> list[str]:
    """The whole numbers in a value, without leading zeros."""
    return [found.lstrip("0") for found in re.findall(r"\d+", value)]


class ConditionWalk(Walk):
    """Reads conditions."""

    def _not(self, atom: Atom) -> None:
        self.negated = True
        follows = self._next()
        if follows.tag in ("count", "rows") and self._next(1).tag in ("value", "col", "period"):
            self.at += 1
        elif follows.tag == "col" and self._stands_alone(follows, self._next(1)):
            column = self._one(follows)
            self.at += 1
            self.said.touches = True
            if column is not None and column.family == "boolean":
                # "sem as pagas" leaves what is empty; "não pagas" is what is said to be no.
                denied = not DENIALS.isdisjoint(plain(atom.text).split())
                self._keep(Condition(column, "in", (not denied,), but=not denied))
            elif column is not None:
                self._keep(Condition(column, "empty", (0,) if column.is_number else ()))
            self.negated = False
        elif follows.tag not in ("value", "col", "period", "quoted", "compare", "is", "unknown",
                                 "not"):  # fmt: skip
            self._lost(atom.text)

    def _stands_alone(self, column: Atom, after: Atom) -> bool:
        """Whether a column is denied itself, not something said of it: `não pagas da Julia`."""
        if after.tag == "value" and all(one.family == "boolean" for one in column.columns):
            return True
        return after.tag not in (
            "value", "compare", "unknown", "quoted", "number", "is", "not",
        )  # fmt: skip

    def _value(self, atom: Atom) -> None:
        chosen = dict(atom.values)
        columns = list(dict.fromkeys(column for column, _ in atom.values))
        named = self.bare[-1] if self.bare and self._col_just_before() else None
        if named is not None:
            if named in chosen:
                self.bare.pop()
                columns = [named]
            elif named.family == "text":
                self._lost(f"{named.name} {atom.text}")
        if len(columns) > 1 and (later := self._column_after(columns)) is not None:
            columns = [later]
        if len(columns) > 1:
            asked = [one.column for one in self.said.conditions if one.column in columns]
            columns = asked[-1:] or columns
        if len(columns) > 1:
            self.said.trouble = self.said.trouble or Trouble(
                "ambiguous", (atom.text,), tuple(columns)
            )
            return
        column = columns[0]
        self._column_after([column])
        values = tuple(value for of, value in atom.values if of is column)
        self._keep(Condition(column, "in", values, but=self.negated))

    def _col_just_before(self) -> bool:
        back = 2
        while self._before(back).tag in ("is", "compare", "not", "only"):
            back += 1
        return self._before(back).tag == "col"

    def _column_after(self, columns: list[AskedColumn]) -> AskedColumn | None:
        """English says the column after its value: `the North region`."""
        follows = self._next()
        fitting = [one for one in follows.columns if one in columns]
        after = self._next(1)
        another = after.tag == "value" and any(of in fitting for of, _ in after.values)
        if follows.tag == "col" and len(fitting) == 1 and not another:
            self.at += 1
            return fitting[0]
        return None

    def _quoted(self, atom: Atom) -> None:
        if self.bare and self._col_just_before():
            self._named_value(self.bare[-1], atom, atom.text)
        else:
            self._lost(atom.text)

    def _unknown(self, atom: Atom) -> None:
        """A word that is in no list: a value, where its column is named and not fully known."""
        column = self.bare[-1] if self.bare and self._col_just_before() else None
        if column is not None and self._is_open(column):
            self._named_value(column, atom, atom.text)
        else:
            self._lost(atom.text)
            if column is not None:
                self.bare.pop()

    def _is_open(self, column: AskedColumn) -> bool:
        return column.family == "text" and not column.shape.complete

    def _named_value(self, column: AskedColumn, atom: Atom, text: str) -> None:
        """A value said beside its column: looked for as it is written, case and accents aside.

        Of a column whose values are all known, `rack 12` is the one that has this number; where
        none has, or several, to find nothing would be a wrong answer.
        """
        if column.family != "text":
            self._lost(text)
            return
        self.bare.pop()
        if atom.tag != "number" or not column.shape.complete:
            self._keep(Condition(column, "like", (str(atom.text),), but=self.negated))
            return
        numbered = [
            one for one in column.shape.values if _numbers_in(one) == [atom.text.lstrip("0")]
        ]
        if len(numbered) == 1:
            self._keep(Condition(column, "in", (numbered[0],), but=self.negated))
        else:
            self._lost(text)

    def _compare(self, atom: Atom) -> None:
        follows = self._next()
        if atom.value == "=":
            if follows.tag in ("value", "quoted", "number", "unknown", "not", "period"):
                if follows.tag == "number" and self.bare and self.bare[-1].is_number:
                    self.at += 1
                    self._keep(Condition(self.bare.pop(), "in", (follows.value,), but=self.negated))
                elif follows.tag == "unknown" and self.bare:
                    self.at += 1
                    self._named_value(self.bare[-1], follows, follows.text)
                return
            self._lost(atom.text)
            return
        if follows.tag != "number":
            self._lost(atom.text)
            return
        self.at += 1
        if self._next().tag in ("row", "rows"):
            self.at += 1
            self.said.having = Having(atom.value, follows.value)
            self.row_word = True
            return
        column = self._numeric_nearby()
        if column is None:
            self._lost(f"{atom.text} {follows.text}")
            return
        sign = cast(Sign, {">": "<=", "<": ">=", ">=": "<", "<=": ">"}[atom.value])
        self._keep(Condition(column, sign if self.negated else atom.value, (follows.value,)))

    def _numeric_nearby(self) -> AskedColumn | None:
        """The column that a comparison is about: the one before it, else the one after."""
        if self.bare and self.bare[-1].is_number:
            return self.bare.pop()
        follows = self._next()
        if follows.tag == "col" and (column := self._one(follows, wants="is_number")):
            self.at += 1
            self.said.touches = True
            return column
        last = self.said.measures[-1] if self.said.measures else None
        if last is not None and self._before(3).tag == "col":
            return last.column
        return None

    def _between(self, atom: Atom) -> None:
        if (
            self._next().tag == "number"
            and self._next(1).tag == "and"
            and self._next(2).tag == "number"
        ):
            low, high = self._next().value, self._next(2).value
            text = f"{atom.text} {self._next().text}"
            self.at += 3
            column = self._numeric_nearby()
            if column is None:
                self._lost(text)
            else:
                values: tuple[Scalar, ...] = (min(low, high), max(low, high))
                self._keep(Condition(column, "between", values, but=self.negated))
        elif self.said.sets_against and self._next().tag in ("value", "period", "col"):
            return
        else:
            self._lost(atom.text)

    def _time_word(self, atom: Atom) -> None:
        if self._next().tag == "col" and self._next(1).tag == "period":
            self._col(self._next())
            self.at += 1
        if self._next().tag == "period":
            self.since = atom.tag
        else:
            self._lost(atom.text)

    def _period(self, atom: Atom) -> None:
        if self.bare and self.bare[-1].is_date:
            self.time_column = self.bare.pop()
        elif self._next().tag == "col" and any(one.is_date for one in self._next().columns):
            self.time_column = self._one(self._next(), wants="is_date")
            self.at += 1
        period: Period = atom.value
        self.periods.append((self.since, period, self.negated))
        self.since = ""

    def _time_conditions(self) -> None:
        if not self.periods:
            return
        years = self._years()
        if years is not None:
            self._in_years(years)
            return
        column = self._date_column()
        if column is None:
            return
        plain = [one for one in self.periods if not one[0] and not one[2]]
        if self.said.sets_against and len(self.periods) == 1 and plain and plain[0][1].parts:
            # "a diferença entre fevereiro e março": the ends of what else would be a range.
            plain = [("", part, False) for part in plain[0][1].parts]
            self.periods = plain
        whole = all(one[1].start and not one[1].months for one in plain)
        if self.said.sets_against and len(plain) == 2 == len(self.periods):
            # From the earlier to the later, so that a rise is told as one.
            plain.sort(key=lambda each: str(each[1].start or ""))
            self.said.versus = [_timely(column, word, one, but) for word, one, but in plain]
            return
        if self.said.sets_against and len(plain) > 1:
            self._lost("…")
            return
        mixed = len(plain) > 1 and not whole
        for word, period, but in self.periods:
            if mixed and period.months:
                period = replace(period, months=())
            self._keep(_timely(column, word, period, but))

    def _years(self) -> AskedColumn | None:
        """The column that holds years as numbers, where no column holds dates."""
        found = [one for one in self.table.columns if one.is_year]
        whole = all(
            one.start and one.end and (one.start.month, one.start.day) == (1, 1)
            and (one.end.month, one.end.day) == (1, 1)
            for _, one, _ in self.periods
        )  # fmt: skip
        return found[0] if len(found) == 1 and whole and not self.table.dates else None

    def _in_years(self, column: AskedColumn) -> None:
        for word, period, but in self.periods:
            start, end = cast(date, period.start), cast(date, period.end)
            first, last = start.year, end.year - 1
            sign, values = {
                "since": (">=", (first,)), "until": ("<=", (last,)), "before": ("<", (first,)),
                "after": (">", (last,)),
            }.get(word, ("in", tuple(range(first, last + 1))))  # fmt: skip
            self._keep(Condition(column, cast(Sign, sign), values, but=but))


def _timely(column: AskedColumn, word: str, period: Period, but: bool) -> Condition:
    """A period as a condition on a column of dates."""
    if period.weekdays:
        return Condition(column, "weekdays", period.weekdays, but=but)
    if period.months and not word:
        return Condition(column, "months", period.months, but=but)
    start = period.start.isoformat() if period.start else ""
    end = period.end.isoformat() if period.end else ""
    pair = {
        "since": (start, ""), "until": ("", end), "before": ("", start), "after": (end, ""),
    }.get(word, (start, end))  # fmt: skip
    return Condition(column, "period", pair, but=but)
