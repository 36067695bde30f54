"""Kept widgets and the calls behind them: dashboards, their refresh, their shared links."""

from bancada.dashboards.arranging import Arrangement, TileChange
from bancada.dashboards.filtering import BoardFilter
from bancada.dashboards.keeping import DashboardDesk
from bancada.dashboards.pinned import Pinned
from bancada.dashboards.shelf import PackStudies
from bancada.dashboards.studies import StudyDesk, StudyRun

__all__ = [
    "Arrangement",
    "BoardFilter",
    "DashboardDesk",
    "PackStudies",
    "Pinned",
    "StudyDesk",
    "StudyRun",
    "TileChange",
]
