"""Since when calls count."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bancada.policy.budgets import window_start


@pytest.mark.parametrize(
    ("per", "now", "since"),
    [
        ("minute", "2026-11-15T10:00:30", "2026-11-15T09:59:30"),
        ("hour", "2026-11-15T00:10:00", "2026-11-14T23:10:00"),
        ("day", "2026-11-15T23:59:59", "2026-11-15T00:00:00"),
        ("day", "2026-11-15T00:00:00", "2026-11-15T00:00:00"),
        ("month", "2026-03-01T00:00:00", "2026-03-01T00:00:00"),
        ("month", "2026-12-31T23:59:59", "2026-12-01T00:00:00"),
    ],
)
def test_a_window_slides_by_minute_and_hour_and_follows_the_calendar_otherwise(
    per: str, now: str, since: str
) -> None:
    def seconds(moment: str) -> float:
        return datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()

    assert window_start(per, seconds(now)) == seconds(since)
