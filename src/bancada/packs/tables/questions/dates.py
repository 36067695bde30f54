"""Periods of time as people say them: days, weeks, months, quarters, years, and what is relative.

A month without a year is that of the table's own dates; where they hold it in several years, it
is meant in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from bancada import Language
from bancada.packs.tables.questions.tokens import Token
from bancada.packs.tables.questions.vocabulary import (
    NUMBER_WORDS,
    OPENS,
    numbers_for,
    words_for,
    words_in,
)

MONTHS = numbers_for("months")
WEEKDAYS, WITH_FEIRA = numbers_for("weekdays"), numbers_for("feira")
ORDINALS = numbers_for("ordinals")
UNITS = words_for("units")
THIS, LAST, BEFORE = words_in("this"), words_in("last"), words_in("before")
OF, SMALL, LEADS = words_in("of"), words_in("small"), words_in("leads")
ALSO_WORDS = words_in("also_words")


@dataclass(frozen=True)
class Period:
    """Days from `start` up to but not including `end`; or months or weekdays of any year."""

    start: date | None = None
    end: date | None = None
    months: tuple[int, ...] = ()
    weekdays: tuple[int, ...] = ()
    parts: tuple[Period, ...] = ()
    """The ends of a range, where it may be two periods set against each other."""


@dataclass(frozen=True)
class Calendar:
    """What periods are read against."""

    today: date
    language: Language = "pt"
    first: date | None = None
    last: date | None = None

    def years_of(self, start: Callable[[int], tuple[date, date]]) -> list[int]:
        """The years in which something that has no year falls among the table's dates."""
        if self.first is None or self.last is None:
            return [self.today.year]
        years = range(self.first.year, self.last.year + 1)
        held = [
            year for year in years if start(year)[1] > self.first and start(year)[0] <= self.last
        ]
        return held or [self.last.year]


def month_of(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)


def quarter_of(year: int, quarter: int) -> tuple[date, date]:
    return month_of(year, 3 * quarter - 2)[0], month_of(year, 3 * quarter)[1]


def week_of(year: int, week: int) -> tuple[date, date]:
    start = date.fromisocalendar(year, week, 1)
    return start, start + timedelta(days=7)


Found = tuple[Period, int] | None
"""A period, and where the words after it begin."""


class Dates:
    """Finds the periods in a sentence's words."""

    def __init__(self, tokens: Sequence[Token], calendar: Calendar) -> None:
        self._tokens = tokens
        self._calendar = calendar

    def at(self, at: int) -> Found:
        """The period that begins here, a range before its first end."""
        return self._range(at) or self._single(at)

    # ------------------------------------------------------------------ ranges

    def _range(self, at: int) -> Found:
        opens = OPENS.get(self._word(at))
        start = self._past(SMALL, at + 1) if opens else at
        first = self._single(start)
        joint = first[1] if first else start + 1
        day = None if first else self._number(start, 31)
        if first is None and (day is None or not opens):
            return None
        if self._word(joint) not in (opens or "ate to until through").split():
            return None
        second = self._single(self._past(SMALL, joint + 1))
        if second is None or second[0].end is None or second[0].weekdays:
            return None
        last = second[0]
        if first is None and last.start is not None and day is not None:
            first = _day(last.start.year, last.start.month, day, at)
        if first is None or first[0].start is None:
            return None
        begin = first[0]
        if begin.start and last.start and begin.start > last.start and begin.end and not day:
            # "de novembro a fevereiro": the first end is of the year before.
            begin = _moved(begin, -1)
        if begin.start is None or last.end is None or begin.start >= last.end:
            return None
        return Period(begin.start, last.end, parts=(begin, last)), second[1]

    # ------------------------------------------------------------------ single ones

    def _single(self, at: int) -> Found:
        if at >= len(self._tokens):
            return None
        readings = (self._date, self._day, self._month, self._year, self._week, self._quarter,
                    self._relative, self._weekday)  # fmt: skip
        return next((found for read in readings if (found := read(at))), None)

    def _date(self, at: int) -> Found:
        if at >= len(self._tokens) or self._tokens[at].kind != "date":
            return None
        token = self._tokens[at]
        parts = [int(part) for part in re.split(r"[/.-]", token.text)]
        if len(parts) == 2:
            year_first = parts[0] > 31
            if year_first or parts[1] > 31:
                year, month = parts if year_first else parts[::-1]
                return (Period(*month_of(year, month)), at + 1) if 1 <= month <= 12 else None
            return self._dated(parts[0], parts[1], at) if self._calendar.language == "pt" else None
        first, second, third = parts
        if first > 31:
            return _day(first, second, third, at + 1)
        if self._calendar.language == "en" and first != second:
            if second > 12:
                return _day(third, first, second, at + 1)
            if first <= 12:
                return None  # which of the two is the month, nobody can tell
        return _day(third, second, first, at + 1)

    def _dated(self, day: int, month: int, at: int) -> Found:
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return None
        year = self._calendar.years_of(lambda year: month_of(year, month))[-1]
        return _day(year, month, day, at + 1)

    def _day(self, at: int) -> Found:
        """`20 de fevereiro de 2026`, `dia 20 de fevereiro`, `February 20`."""
        if self._word(at) in ("dia", "day") and (found := self._day(at + 1) or self._date(at + 1)):
            return found
        day = self._number(at, 31)
        if day is not None:
            place = self._past(OF, at + 1)
            month = MONTHS.get(self._word(place))
            after = place + 1
        else:
            month = MONTHS.get(self._word(at))
            place = at + 1
            day = self._number(place, 31) if month else None
            after = place + 1
        if month is None or day is None:
            return None
        year, after = self._year_after(after)
        if year is None:
            found = self._dated(day, month, at)
            return (found[0], after) if found else None
        return _day(year, month, day, after)

    def _month(self, at: int) -> Found:
        word = self._word(at)
        month = MONTHS.get(word)
        if month is None:
            return None
        year, after = self._year_after(at + 1)
        if word in ALSO_WORDS and year is None and self._word(at - 1) not in LEADS:
            return None
        if year is not None:
            return Period(*month_of(year, month)), after
        years = self._calendar.years_of(lambda year: month_of(year, month))
        if len(years) > 1:
            start, end = month_of(years[-1], month)
            return Period(start, end, months=(month,)), after
        return Period(*month_of(years[0], month)), after

    def _year(self, at: int) -> Found:
        if self._word(at) in ("ano", "year"):
            return self._year(at + 1)
        year = self._number(at, 2100)
        if year is None or year < 1900 or self._word(at - 1) not in LEADS:
            return None
        return Period(date(year, 1, 1), date(year + 1, 1, 1)), at + 1

    def _week(self, at: int) -> Found:
        if self._word(at) not in ("semana", "week"):
            return None
        week = self._number(at + 1, 53)
        if week is None:
            return None
        year, after = self._year_after(at + 2)
        year = year or self._calendar.years_of(lambda year: week_of(year, min(week, 52)))[-1]
        try:
            return Period(*week_of(year, week)), after
        except ValueError:
            return None

    def _quarter(self, at: int) -> Found:
        word = self._word(at)
        short = re.fullmatch(r"[qt]([1-4])", word)
        number = self._number(at, 4) or ORDINALS.get(word)
        if short:
            number, after = int(short[1]), at + 1
        elif number is not None and UNITS.get(self._word(at + 1)) == "quarter":
            after = at + 2
        else:
            return None
        quarter = number
        year, after = self._year_after(after)
        year = year or self._calendar.years_of(lambda year: quarter_of(year, quarter))[-1]
        return Period(*quarter_of(year, quarter)), after

    def _relative(self, at: int) -> Found:
        word, today = self._word(at), self._calendar.today
        back = {"hoje": 0, "today": 0, "ontem": 1, "yesterday": 1, "anteontem": 2}.get(word)
        if back is not None:
            day = today - timedelta(days=back)
            return Period(day, day + timedelta(days=1)), at + 1
        next_unit = UNITS.get(self._word(at + 1))
        if word in THIS and next_unit:
            return _unit_around(next_unit, today, 0), at + 2
        if word in LAST and next_unit:
            return _unit_around(next_unit, today, -1), at + 2
        if word in LAST and (many := self._number(at + 1, 999)) is not None:
            unit = UNITS.get(self._word(at + 2))
            return (_last(many, unit, today), at + 3) if unit else None
        if word in UNITS and self._word(at + 1) in BEFORE:
            return _unit_around(UNITS[word], today, -1), at + 2
        # "nos 7 últimos dias"
        many = self._number(at, 999)
        if many is not None and self._word(at + 1) in LAST and UNITS.get(self._word(at + 2)):
            return _last(many, UNITS[self._word(at + 2)], today), at + 3
        return None

    def _weekday(self, at: int) -> Found:
        word = self._word(at)
        if self._word(at + 1) in ("feira", "feiras") and word.rstrip("s") in WITH_FEIRA:
            return Period(weekdays=(WITH_FEIRA[word.rstrip("s")],)), at + 2
        if word in WEEKDAYS:
            return Period(weekdays=(WEEKDAYS[word],)), at + 1
        if word in ("weekend", "weekends"):
            return Period(weekdays=(6, 7)), at + 1
        if [self._word(at + step) for step in range(3)] in (
            ["fim", "de", "semana"],
            ["fins", "de", "semana"],
        ):
            return Period(weekdays=(6, 7)), at + 3
        return None

    # ------------------------------------------------------------------ words

    def _word(self, at: int) -> str:
        return self._tokens[at].plain if 0 <= at < len(self._tokens) else ""

    def _number(self, at: int, most: int) -> int | None:
        if not 0 <= at < len(self._tokens):
            return None
        token = self._tokens[at]
        if token.kind == "ordinal":
            number = int(re.sub(r"\D", "", token.text))
        elif token.kind == "number" and token.text.isdigit():
            number = int(token.text)
        elif token.plain in NUMBER_WORDS:
            number = NUMBER_WORDS[token.plain]
        else:
            return None
        return number if 1 <= number <= most else None

    def _past(self, words: frozenset[str], at: int) -> int:
        while self._word(at) in words:
            at += 1
        return at

    def _year_after(self, at: int) -> tuple[int | None, int]:
        place = self._past(OF | {","}, at)
        year = self._number(place, 2100)
        if year is None or year < 1900:
            return None, at
        return year, place + 1


def _day(year: int, month: int, day: int, after: int) -> Found:
    try:
        start = date(year, month, day)
    except ValueError:
        return None
    return Period(start, start + timedelta(days=1)), after


def _moved(period: Period, years: int) -> Period:
    def moved(day: date | None) -> date | None:
        return day and day.replace(year=day.year + years, day=min(day.day, 28))

    return replace(period, start=moved(period.start), end=moved(period.end), months=())


def _unit_around(unit: str, day: date, step: int) -> Period:
    """The unit that a day is in, or the one before it."""
    if unit == "day":
        start = day + timedelta(days=step)
        return Period(start, start + timedelta(days=1))
    if unit == "week":
        start = day - timedelta(days=day.weekday()) + timedelta(days=7 * step)
        return Period(start, start + timedelta(days=7))
    if unit == "month":
        at = day.year * 12 + day.month - 1 + step
        return Period(*month_of(at // 12, at % 12 + 1))
    if unit == "quarter":
        at = day.year * 4 + (day.month - 1) // 3 + step
        return Period(*quarter_of(at // 4, at % 4 + 1))
    return Period(date(day.year + step, 1, 1), date(day.year + step + 1, 1, 1))


def _last(many: int, unit: str, today: date) -> Period:
    """So many units up to and with today."""
    end = today + timedelta(days=1)
    if unit in ("day", "week"):
        return Period(end - timedelta(days=many * (7 if unit == "week" else 1)), end)
    months = many * {"month": 1, "quarter": 3, "year": 12}[unit]
    at = end.year * 12 + end.month - 1 - months
    last_day = (month_of(at // 12, at % 12 + 1)[1] - timedelta(days=1)).day
    return Period(date(at // 12, at % 12 + 1, min(end.day, last_day)), end)
