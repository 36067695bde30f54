"""Conditions in a question: comparisons, days, months and years."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TypeVar

from bancada import Language
from bancada.packs.tables.questions.marks import Mark
from bancada.packs.tables.questions.question import Condition, Sign, Trouble
from bancada.packs.tables.questions.tables import YEARS, Column, Table
from bancada.packs.tables.questions.tokens import date_in, number_in

Value = TypeVar("Value")

_SIGNS: dict[str, Sign] = {
    ">": ">", "<": "<", "=": "=", ">=": ">=", "<=": "<=", "≥": ">=", "≤": "<=",
}  # fmt: skip
_TRUTH = {
    "sim": True, "verdadeiro": True, "yes": True, "true": True,
    "nao": False, "falso": False, "no": False, "false": False,
}  # fmt: skip


@dataclass
class Conditions:
    """Takes conditions out of a question's marks; what is left says the rest."""

    table: Table
    language: Language
    left: list[Mark]
    found: list[Condition] = field(default_factory=list)
    trouble: Trouble | None = None

    def read(self) -> None:
        takers = (self._compared, self._dated, self._in_months, self._in_years, self._equal)
        for take in (*takers, self._true):
            at = 0
            while at < len(self.left):
                at = max(0, at if take(at) else at + 1)

    # ------------------------------------------------------------------ numbers

    def _compared(self, at: int) -> bool:
        """`valor > 100`, `mais de 100 de valor`, `entre 10 e 20`."""
        mark = self.left[at]
        sign = _SIGNS.get(mark.value) if mark.tag in ("compare", "sign") else None
        if mark.tag == "between":
            numbers = self._pair(at, self._number)
            if numbers is None:
                return False
            (low, high), end = numbers
            values = (min(low, high), max(low, high))
            return self._about_a_number(at, end, "between", values)
        if sign is None:
            return False
        after = self._skip(at + 1)
        number = self._number(after)
        if number is None:
            return False
        return self._about_a_number(at, after + 1, sign, (number,))

    def _about_a_number(
        self, at: int, end: int, sign: Sign, values: tuple[float | int, ...]
    ) -> bool:
        place = self._beside(at, end, lambda column: column.is_number)
        if place is None:
            numbers = [one for one in self.table.numbers if not one.is_code]
            if len(numbers) != 1:
                self.trouble = Trouble("needs_number", columns=tuple(numbers))
            else:
                self.found.append(Condition(numbers[0], sign, values))
            del self.left[at:end]
            return True
        self.found.append(Condition(self.left[place].columns[0], sign, values))
        del self.left[min(at, place) : max(end, place + 1)]
        return True

    def _equal(self, at: int) -> bool:
        """`posicao 3`, `pago = sim`: a name and its value."""
        mark = self.left[at]
        if mark.tag != "name" or len(mark.columns) != 1 or self._marked(at):
            return False
        column = mark.columns[0]
        after = self._skip(at + 1, signs=True)
        if after >= len(self.left):
            return False
        if column.is_number and after == self._skip(at + 1, signs=True, fillers=False):
            number = self._number(after)
            if number is not None:
                self.found.append(Condition(column, "=", (number,)))
                del self.left[at : after + 1]
                return True
        truth = _TRUTH.get(self.left[after].text.casefold().replace("ã", "a"))
        if column.family == "boolean" and truth is not None:
            self.found.append(Condition(column, "=", (truth,)))
            del self.left[at : after + 1]
            return True
        return False

    def _true(self, at: int) -> bool:
        """`quantas pessoas em teletrabalho`: a column of yes and no, named and nothing more."""
        mark = self.left[at]
        plain = mark.tag == "name" and len(mark.columns) == 1 and not self._marked(at)
        if not plain or mark.columns[0].family != "boolean":
            return False
        tags = {one.tag for one in self.left}
        if tags & _OF_VALUES or not tags & {"count", "operation", "rows", "thing", "rank"}:
            return False
        before = at - 1
        while before >= 0 and self.left[before].tag == "filler":
            before -= 1
        negated = before >= 0 and self.left[before].tag == "not"
        self.found.append(Condition(mark.columns[0], "=", (not negated,)))
        del self.left[before if negated else at : at + 1]
        return True

    # ------------------------------------------------------------------ days

    def _dated(self, at: int) -> bool:
        """`desde 2026-01-01`, `between 2026-01-01 and 2026-02-01`, or a day by itself."""
        mark = self.left[at]
        if mark.tag == "between":
            days = self._pair(at, self._day)
            if days is None:
                return False
            (first, last), end = days
            return self._about_a_day(at, end, "between", sorted((first, last)))
        if mark.tag in ("since", "until", "sign"):
            after = self._skip(at + 1)
            day = self._day(after)
            if day is None:
                return False
            sign: Sign = {"since": ">=", "until": "<="}.get(mark.tag) or _SIGNS[mark.value]  # type: ignore[assignment]
            # "antes de" and "depois de" leave the day itself out.
            if mark.text.casefold().startswith(("antes", "before")):
                sign = "<"
            elif mark.text.casefold().startswith(("depois", "after", "após", "apos")):
                sign = ">"
            return self._about_a_day(at, after + 1, sign, [day])
        day = self._day(at)
        return day is not None and self._about_a_day(at, at + 1, "=", [day])

    def _about_a_day(self, at: int, end: int, sign: Sign, days: Sequence[date]) -> bool:
        return self._timely(at, end, sign, tuple(day.isoformat() for day in days))

    def _in_months(self, at: int) -> bool:
        """`em março`, `in March 2026`, `entre janeiro e março`, `desde março de 2026`."""
        mark = self.left[at]
        if mark.tag == "between":
            months = self._pair(at, self._month)
            if months is None:
                return False
            (first, last), end = months
            year, end = self._year_after(end)
            if first > last:
                return False
            if year is None:
                return self._timely(at, end, "month", tuple(range(first, last + 1)))
            return self._about_a_day(at, end, "between", [date(year, first, 1), _last(year, last)])
        bounded = mark.tag in ("since", "until")
        place = self._skip(at + 1) if bounded else at
        month = self._month(place)
        if month is None:
            return False
        year, end = self._year_after(place + 1)
        if not bounded and year is None:
            return self._timely(at, end, "month", (month,))
        if year is None:
            return False
        if not bounded:
            # Two conditions: a later question may change the month and keep the year.
            known = len(self.found)
            self._timely(at, end, "month", (month,))
            self.found += [Condition(one.column, "year", (year,)) for one in self.found[known:]]
            return True
        since = mark.tag == "since"
        day = date(year, month, 1) if since else _last(year, month)
        return self._about_a_day(at, end, ">=" if since else "<=", [day])

    def _in_years(self, at: int) -> bool:
        """`em 2025`, `desde 2024`: of the dates, or of a column of years."""
        mark = self.left[at]
        bounded = mark.tag in ("since", "until")
        place = self._skip(at + 1) if bounded else at
        year = self._year(place)
        ready = at > 0 and self.left[at - 1].tag in ("filler", "only", "unit", "go_on")
        if year is None or not (bounded or ready):
            return False
        start = at - 1 if self.left[at - 1].tag == "unit" and not bounded else at
        columns = [one for one in self.table.numbers if YEARS.intersection(one.words)]
        if not self.table.dates and len(columns) == 1:
            sign: Sign = {"since": ">=", "until": "<="}.get(mark.tag, "=")  # type: ignore[assignment]
            self.found.append(Condition(columns[0], sign, (year,)))
            del self.left[start : place + 1]
            return True
        if not self.table.dates:
            return False
        if not bounded:
            return self._timely(start, place + 1, "year", (year,))
        since = mark.tag == "since"
        day = date(year, 1, 1) if since else date(year, 12, 31)
        return self._about_a_day(at, place + 1, ">=" if since else "<=", [day])

    def _timely(self, at: int, end: int, sign: Sign, values: tuple[str | int, ...]) -> bool:
        """Keep a condition on the column of dates that is meant."""
        place = self._beside(at, end, lambda column: column.is_date)
        if place is not None:
            self.found.append(Condition(self.left[place].columns[0], sign, values))
            del self.left[min(at, place) : max(end, place + 1)]
            return True
        dates = self.table.dates
        if len(dates) == 1:
            self.found.append(Condition(dates[0], sign, values))
        else:
            words = " ".join(mark.text for mark in self.left[at:end])
            kind: Trouble = (
                Trouble("ambiguous", words, dates) if dates else Trouble("needs_date", words)
            )
            self.trouble = self.trouble or kind
        del self.left[at:end]
        return True

    # ------------------------------------------------------------------ looking around

    def _skip(self, at: int, *, signs: bool = False, fillers: bool = True) -> int:
        while at < len(self.left) and (
            (fillers and self.left[at].tag in ("filler", "go_on", "unit"))
            or (signs and (self.left[at].tag, self.left[at].value) in _EQUALS)
        ):
            at += 1
        return at

    def _pair(
        self, at: int, value: Callable[[int], Value | None]
    ) -> tuple[tuple[Value, Value], int] | None:
        """The two bounds after `entre`, and where they end."""
        first = self._skip(at + 1)
        second = self._skip(first + 1)
        low, high = value(first), value(second)
        return None if low is None or high is None else ((low, high), second + 1)

    def _beside(self, at: int, end: int, wanted: Callable[[Column], bool]) -> int | None:
        """Where the column is named that a condition is on: before it, or right after it."""
        before = at - 1
        while before >= 0 and self.left[before].tag in ("filler", "not"):
            before -= 1
        for place in (before, self._skip(end)):
            if 0 <= place < len(self.left) and self.left[place].tag == "name":
                columns = self.left[place].columns
                by = place > 0 and self._marked(place)
                if len(columns) == 1 and wanted(columns[0]) and not by:
                    return place
        return None

    def _marked(self, at: int) -> bool:
        """Whether the name at this place follows `por`."""
        before = at - 1
        while before >= 0 and self.left[before].tag == "filler":
            before -= 1
        return before >= 0 and self.left[before].tag == "by"

    def _number(self, at: int) -> float | int | None:
        if at < len(self.left) and self.left[at].tag == "number":
            return number_in(self.left[at].text, self.language)
        return None

    def _day(self, at: int) -> date | None:
        if at < len(self.left) and self.left[at].tag == "date":
            return date_in(self.left[at].text, self.language)
        return None

    def _month(self, at: int) -> int | None:
        if at < len(self.left) and self.left[at].tag == "month":
            return int(self.left[at].value)
        return None

    def _year(self, at: int) -> int | None:
        number = self._number(at)
        return number if isinstance(number, int) and 1900 <= number <= 2100 else None

    def _year_after(self, end: int) -> tuple[int | None, int]:
        place = self._skip(end)
        year = self._year(place)
        return (year, place + 1) if year is not None else (None, end)


_OF_VALUES = frozenset(("frequent", "list", "which", "distinct", "empty"))
"""Words that ask for a column's values, not for the rows that have one."""
_EQUALS = (("sign", "="), ("compare", "="))


def _last(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
