"""Cron's words by the clock on a wall: nights that leave an hour out, and nights that have it twice."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from bancada.domain.cron import Cron, in_words, zone_of
from bancada.domain.errors import Invalid

LISBON = ZoneInfo("Europe/Lisbon")


def at(text: str, zone: ZoneInfo = LISBON, fold: int = 0) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).timestamp()


def times(cron: str, start: str, count: int, zone: ZoneInfo = LISBON) -> list[str]:
    found, moment = [], at(start, zone)
    for _ in range(count):
        due = Cron.read(cron).after(moment, zone)
        assert due is not None
        assert due > moment
        found.append(in_words(due, zone))
        moment = due
    return found


@pytest.mark.parametrize(
    ("cron", "start", "due"),
    [
        ("30 7 * * *", "2026-11-16 07:29", ["2026-11-16 07:30", "2026-11-17 07:30"]),
        ("30 7 * * *", "2026-11-16 07:30", ["2026-11-17 07:30"]),
        ("0 8 * * mon-fri", "2026-11-13 09:00", ["2026-11-16 08:00"]),
        ("0 8 * * 7", "2026-11-16 09:00", ["2026-11-22 08:00"]),
        ("*/20 9-10 * * *", "2026-11-16 10:15", ["2026-11-16 10:20", "2026-11-16 10:40", "2026-11-17 09:00"]),
        ("5/20 0 1 jan,JUL *", "2026-11-16 10:00", ["2027-01-01 00:05", "2027-01-01 00:25"]),
        # Either day, where both are named; as cron has it.
        ("0 0 13 * fri", "2026-11-12 12:00", ["2026-11-13 00:00", "2026-11-20 00:00"]),
        ("0 0 29 2 *", "2096-03-01 00:00", ["2104-02-29 00:00"]),
        ("@hourly", "2026-11-16 10:59", ["2026-11-16 11:00"]),
    ],
)  # fmt: skip
def test_the_next_times_are_what_the_words_say(cron: str, start: str, due: list[str]) -> None:
    assert times(cron, start, len(due)) == due


def test_a_time_that_the_clocks_leave_out_is_made_up_for_once() -> None:
    # In Lisbon 01:00 becomes 02:00 on 29 March 2026.
    assert times("30 1 * * *", "2026-03-28 12:00", 3) == [
        "2026-03-29 02:30",
        "2026-03-30 01:30",
        "2026-03-31 01:30",
    ]
    assert times("30 1,2 * * *", "2026-03-28 12:00", 2) == ["2026-03-29 02:30", "2026-03-30 01:30"]


def test_a_time_that_comes_twice_is_due_once() -> None:
    # In Lisbon 02:00 becomes 01:00 on 25 October 2026.
    assert times("30 1 * * *", "2026-10-24 12:00", 2) == ["2026-10-25 01:30", "2026-10-26 01:30"]
    first = Cron.read("30 1 * * *").after(at("2026-10-24 12:00"), LISBON)
    assert first == at("2026-10-25 01:30")
    between = at("2026-10-25 01:10", fold=1)
    assert Cron.read("30 1 * * *").after(between, LISBON) == at("2026-10-26 01:30")


@pytest.mark.parametrize("zone", ["Europe/Lisbon", "America/St_Johns", "Australia/Lord_Howe"])
def test_every_hour_means_every_hour_that_passes(zone: str) -> None:
    where = ZoneInfo(zone)
    for start in ("2026-03-07 12:00", "2026-03-28 12:00", "2026-10-24 12:00", "2026-10-31 12:00"):
        moment = at(start, where)
        found = [moment]
        for _ in range(48):
            found.append(Cron.read("0 * * * *").after(found[-1], where) or 0.0)
        gaps = {later - earlier for earlier, later in pairwise(found)}
        # Lord Howe moves its clocks by half an hour: their full hours then lie apart by that.
        assert gaps <= ({1800.0, 3600.0, 5400.0} if zone == "Australia/Lord_Howe" else {3600.0})


def test_a_day_that_a_place_never_had_runs_with_the_next() -> None:
    # Samoa went from 29 to 31 December 2011.
    assert times("0 8 * * *", "2011-12-29 07:00", 3, ZoneInfo("Pacific/Apia")) == [
        "2011-12-29 08:00",
        "2011-12-31 08:00",
        "2012-01-01 08:00",
    ]


def test_what_never_comes_is_known_not_to_come() -> None:
    assert Cron.read("0 0 30 2 *").after(at("2026-11-16 10:00"), LISBON) is None


@pytest.mark.parametrize(
    "text",
    ["", "* * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "5-1 * * * *",
     "*/0 * * * *", "a * * * *", "1,,2 * * * *", "- * * * *", "* * * * mon-", "١ * * * *", "@never",
     "99999999999999 * * * *"],
)  # fmt: skip
def test_words_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        Cron.read(text)
    assert str(refused.value)


@pytest.mark.parametrize("name", ["", "Lisbon/Europe", "../../etc/passwd", "/etc/passwd", "a\0b"])
def test_a_place_that_is_no_time_zone_is_refused(name: str) -> None:
    with pytest.raises(Invalid):
        zone_of(name)


def test_times_that_were_missed_are_counted_and_the_last_is_named() -> None:
    cron, since, now = Cron.read("0 * * * *"), at("2026-11-16 08:00"), at("2026-11-16 11:30")
    assert cron.missed(since, now, LISBON) == (at("2026-11-16 11:00"), 4)
    assert cron.missed(since, since, LISBON) == (since, 1)
    often = Cron.read("* * * * *")
    assert often.missed(since, since + 40 * 86_400, LISBON) == (since + 40 * 86_400, 1000)
