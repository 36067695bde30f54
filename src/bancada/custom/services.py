"""The chat services that notices may go to, by the word an address begins with."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Service:
    """One service, and what of `apprise` speaks to it."""

    name: str
    module: str
    plugin: str
    schemes: tuple[str, ...]
    """The word its addresses begin with; those without encryption last."""
    hosts: tuple[str, ...] = ()
    """Where the service is, with what is below; none: wherever its address says."""
    native: str | None = None
    """What an address looks like that the service hands out itself."""
    options: frozenset[str] = frozenset()
    """What may stand after `?`."""
    plain: frozenset[str] = frozenset()
    """Schemes that are not encrypted: an operator must name them."""


SERVICES = (
    Service(
        "Slack",
        "slack",
        "NotifySlack",
        ("slack",),
        ("slack.com", "slack-gov.com"),
        r"hooks\.slack\.com/",
    ),
    Service(
        "Microsoft Teams",
        "workflows",
        "NotifyWorkflows",
        ("workflows",),
        native=r"[a-z0-9.-]+(:443)?/(powerautomate/.*)?workflows/",
        options=frozenset({"api-version", "sp", "sv", "sig"}),
    ),
    Service(
        "Google Chat",
        "google_chat",
        "NotifyGoogleChat",
        ("gchat",),
        ("chat.googleapis.com",),
        r"chat\.googleapis\.com/",
        frozenset({"key", "token"}),
    ),
    Service(
        "Discord",
        "discord",
        "NotifyDiscord",
        ("discord",),
        ("discord.com", "discordapp.com"),
        r"discord(app)?\.com/api/webhooks/",
    ),
    Service("Telegram", "telegram", "NotifyTelegram", ("tgram",), ("api.telegram.org",)),
    Service(
        "Webex",
        "webexteams",
        "NotifyWebexTeams",
        ("webex",),
        ("webexapis.com", "ciscospark.com"),
        r"(webexapis|api\.ciscospark)\.com/",
    ),
    Service(
        "Mattermost",
        "mattermost",
        "NotifyMattermost",
        ("mmosts", "mmost"),
        native=r"[a-z0-9.-]+(:\d+)?/hooks/",
        plain=frozenset({"mmost"}),
    ),
    Service(
        "Rocket.Chat",
        "rocketchat",
        "NotifyRocketChat",
        ("rockets", "rocket"),
        plain=frozenset({"rocket"}),
    ),
    Service(
        "Matrix",
        "matrix.base",
        "NotifyMatrix",
        ("matrixs", "matrix"),
        plain=frozenset({"matrix"}),
    ),
    Service(
        "Nextcloud Talk",
        "nextcloudtalk",
        "NotifyNextcloudTalk",
        ("nctalks", "nctalk"),
        plain=frozenset({"nctalk"}),
    ),
    Service("ntfy", "ntfy", "NotifyNtfy", ("ntfys", "ntfy"), plain=frozenset({"ntfy"})),
)

SCHEMES = tuple(scheme for service in SERVICES for scheme in service.schemes)


def scheme_of(address: str) -> str | None:
    """The scheme an address counts as: its own, or that of the service that handed it out."""
    if re.search(r"[\x00-\x20\x7f\\]", address):
        return None
    scheme, _, rest = address.partition("://")
    scheme = scheme.lower()
    if scheme in SCHEMES and rest:
        return scheme
    if scheme != "https":
        return None
    for service in SERVICES:
        if service.native is not None and re.match(service.native, rest, re.IGNORECASE):
            return service.schemes[0]
    return None


def service_of(address: str) -> Service | None:
    scheme = scheme_of(address)
    return next((one for one in SERVICES if scheme in one.schemes), None)
