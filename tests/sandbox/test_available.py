"""Where everything must be proven, a machine without walls is a failure, not a row of skips."""

from __future__ import annotations

import os

import pytest

from bancada.sandbox import probe


@pytest.mark.skipif(not os.environ.get("CI"), reason="a machine of one's own may have no sandbox")
def test_in_ci_some_tier_of_the_sandbox_works() -> None:
    reports = probe()
    assert any(report.available for report in reports), [
        f"{report.tier}: {report.reason}" for report in reports
    ]
