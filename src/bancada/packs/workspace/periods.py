"""Periods as people write them: a year, a quarter, a month."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bancada import ToolFailed


@dataclass(frozen=True)
class MonthRange:
    """A run of months, first and last included."""

    name: str
    first: str
    last: str

    @property
    def months(self) -> int:
        return _count(self.last) - _count(self.first) + 1

    def before(self) -> MonthRange:
        """As many months, directly before: what a change is measured against."""
        first, last = _count(self.first) - self.months, _count(self.first) - 1
        return MonthRange(f"{_month(first)} to {_month(last)}", _month(first), _month(last))


def period_of(text: str | None, known: Sequence[str]) -> MonthRange:
    """Read `2024`, `2024-11`, `Q4 2024`, `2024-Q4` or `Q4`; none: the newest year there is.

    A quarter without a year is the newest one that has sales.
    """
    if text is None or not text.strip():
        return _year(int(known[-1][:4]))
    said = text.strip().upper()
    if found := re.fullmatch(r"(\d{4})", said):
        return _year(int(found[1]))
    if found := re.fullmatch(r"(\d{4})-(0[1-9]|1[0-2])", said):
        return MonthRange(said, said, said)
    quarter = re.fullmatch(r"(?:[QT]([1-4])(?:[\s/-]*(\d{4}))?|(\d{4})[\s/-]*[QT]([1-4]))", said)
    if quarter is None:
        raise ToolFailed(
            f"The period {text!r} is not one of the known forms: 2024, Q4 2024 or 2024-11."
        )
    number = int(quarter[1] or quarter[4])
    year = quarter[2] or quarter[3]
    return _quarter(number, int(year) if year else _newest_year(number, known))


def _year(year: int) -> MonthRange:
    return MonthRange(str(year), f"{year}-01", f"{year}-12")


def _quarter(number: int, year: int) -> MonthRange:
    return MonthRange(f"Q{number} {year}", f"{year}-{3 * number - 2:02}", f"{year}-{3 * number:02}")


def _newest_year(number: int, known: Sequence[str]) -> int:
    years = [int(month[:4]) for month in known if (int(month[5:]) + 2) // 3 == number]
    return max(years, default=int(known[-1][:4]))


def _count(month: str) -> int:
    return int(month[:4]) * 12 + int(month[5:]) - 1


def _month(count: int) -> str:
    return f"{count // 12}-{count % 12 + 1:02}"
