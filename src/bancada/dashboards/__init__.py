"""Kept widgets and the calls behind them: dashboards, their refresh, their shared links."""

from bancada.dashboards.keeping import DashboardDesk
from bancada.dashboards.pinned import Pinned

__all__ = ["DashboardDesk", "Pinned"]
