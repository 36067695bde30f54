"""How an installation runs: every setting, and where it is read from."""

from bancada.settings.loading import load_settings, unknown_variables
from bancada.settings.sections import (
    DatabaseSettings,
    McpSettings,
    NoticeSettings,
    OidcSettings,
    ProviderSettings,
    SmtpSettings,
)
from bancada.settings.settings import Settings

__all__ = [
    "DatabaseSettings",
    "McpSettings",
    "NoticeSettings",
    "OidcSettings",
    "ProviderSettings",
    "Settings",
    "SmtpSettings",
    "load_settings",
    "unknown_variables",
]
