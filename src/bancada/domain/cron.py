"""When something is due: cron's five words, by the clock on somebody's wall.

Where the hours are named, a time that a change of clocks leaves out is made up for as far after the
jump as it stood after the last hour before it, and a time that comes twice counts once. Where the
hours begin with `*`, real hours are meant: every one of them is due, twice in the night that has it
twice, and none is made up for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, takewhile
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bancada.domain.errors import Invalid
from bancada.domain.wording import Wording

DAYS = 366 * 9
"""How far ahead is looked: 29 February may be eight years away, over a year like 2100."""
MOST_COUNTED = 1000
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
WORDS = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}


@dataclass(frozen=True)
class _Field:
    """One of the five words: what it may be, and names for it."""

    name: str
    first: int
    last: int
    names: Sequence[str] = ()

    def read(self, text: str) -> frozenset[int]:
        return frozenset(value for part in text.split(",") for value in self._part(part))

    def _part(self, part: str) -> range:
        span, slash, step = part.partition("/")
        every = self._number(step, 1, self.last) if slash else 1
        if span == "*":
            return range(self.first, self.last + 1, every)
        low, dash, high = span.partition("-")
        begin = self._value(low)
        end = self._value(high) if dash else (self.last if slash else begin)
        if end < begin:
            raise Invalid("cron_backwards", field=Wording(f"cron_{self.name}"), text=part[:40])
        return range(begin, end + 1, every)

    def _value(self, text: str) -> int:
        if text.lower() in self.names:
            return self.names.index(text.lower()) + self.first
        return self._number(text, self.first, self.last)

    def _number(self, text: str, low: int, high: int) -> int:
        if not (text.isascii() and text.isdecimal() and low <= int(text[:6]) <= high):
            field = Wording(f"cron_{self.name}")
            raise Invalid("cron_field", field=field, text=text[:40], low=low, high=high)
        return int(text)


FIELDS = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day", 1, 31),
    _Field("month", 1, 12, MONTHS),
    # Sunday is 0, and 7 as well.
    _Field("weekday", 0, 7, WEEKDAYS),
)


@dataclass(frozen=True)
class Cron:
    """Minutes, hours, days, months and weekdays; a day counts by either where both are named."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    real_hours: bool
    """The hours begin with `*`: what counts is the time that passes, not what clocks say."""
    either_day: bool

    @staticmethod
    def read(text: str) -> Cron:
        """Cron's words; `Invalid` says which of them cannot be read."""
        words = WORDS.get(text.strip().lower(), text).split()
        if len(words) != len(FIELDS):
            raise Invalid("cron_words", n=len(words))
        minutes, hours, days, months, weekdays = (
            field.read(word) for field, word in zip(FIELDS, words, strict=True)
        )
        return Cron(
            minutes=tuple(sorted(minutes)),
            hours=tuple(sorted(hours)),
            days=days,
            months=months,
            weekdays=frozenset(day % 7 for day in weekdays),
            real_hours=words[1].startswith("*"),
            either_day=not (words[2].startswith("*") or words[4].startswith("*")),
        )

    def after(self, moment: float, zone: ZoneInfo) -> float | None:
        """The first time that is due after this moment; none: there is none."""
        return next(self._all_after(moment, zone), None)

    def missed(self, since: float, until: float, zone: ZoneInfo) -> tuple[float, int]:
        """The last time due up to `until`, where `since` was due, and how many were (`MOST_COUNTED`:
        at least so many)."""
        counted = islice(self._all_after(since, zone), MOST_COUNTED - 1)
        count = 1 + sum(1 for _ in takewhile(lambda at: at <= until, counted))
        day = datetime.fromtimestamp(until, zone).date()
        while True:
            due = [at for at in self._times(day, zone) if at <= until]
            if due or datetime.combine(day, time(), zone).timestamp() <= since:
                return max(due, default=since), count
            day -= timedelta(days=1)

    def _all_after(self, moment: float, zone: ZoneInfo) -> Iterator[float]:
        # What a day leaves out is made up for on the day after at the latest.
        first, last = datetime.fromtimestamp(moment, zone).date() - timedelta(days=1), moment
        for ahead in range(DAYS):
            for at in sorted(self._times(first + timedelta(days=ahead), zone)):
                # What is made up for may fall together with what is due anyway.
                if at > last:
                    yield (last := at)

    def _is_day(self, day: date) -> bool:
        if day.month not in self.months:
            return False
        by_day, by_weekday = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return by_day or by_weekday if self.either_day else by_day and by_weekday

    def _times(self, day: date, zone: ZoneInfo) -> list[float]:
        if not self._is_day(day):
            return []
        return [
            at
            for hour in self.hours
            for minute in self.minutes
            for at in self._moments(datetime.combine(day, time(hour, minute), zone))
        ]

    def _moments(self, wall: datetime) -> list[float]:
        """When the clock on the wall shows this: once, never, or twice."""
        first, second = wall.timestamp(), wall.replace(fold=1).timestamp()
        if first == second:
            return [first]
        # In a night that has an hour twice, the first comes before the second; in one that leaves
        # an hour out, the two readings are the other way round.
        if not self.real_hours:
            return [first]
        return [first, second] if first < second else []


def zone_of(name: str) -> ZoneInfo:
    """A time zone by its name, such as `Europe/Lisbon`."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Invalid("no_time_zone", name=name[:60]) from None


def in_words(moment: float, zone: ZoneInfo) -> str:
    """The moment as that zone's clocks show it."""
    return datetime.fromtimestamp(moment, UTC).astimezone(zone).strftime("%Y-%m-%d %H:%M")
