"""The log: readable lines or JSON, each with the id of the request it belongs to.

Secrets never get here: nothing of ours logs a token, a key or a header. What people ask and what
is answered is logged only where the operator said so.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TextIO

from bancada.settings import Settings

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The request at work in this task, and in the tasks it starts."""

SECRET = re.compile(
    r"(?i)(bk_[\w-]{6})[\w-]+"  # our API keys
    r"|(sk-ant-[\w-]{4})[\w-]+"  # the provider's
    r"|(bearer\s+)[\w.~+/=-]+"
    r"|(eyJ[\w-]{6})[\w-]*\.[\w-]+\.[\w-]+"  # tokens
    r"|(://[^/\s:@]+:)[^/\s@]+(?=@)"  # passwords in addresses
    r"|(\s/(?:d|shared)/)[^\s\"]+"  # links to dashboards and conversations
    r"|(/auth/links/|#/setup/)[^\s\"]+"  # links that are used once
)
"""A second wall: what looks like a secret is cut, wherever it came from."""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")

_STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


def without_secrets(text: str) -> str:
    def cut(found: re.Match[str]) -> str:
        return next(group for group in found.groups() if group is not None) + "…"

    return SECRET.sub(cut, text)


def on_one_line(text: str) -> str:
    """The text with control characters spelled out: it starts no line, and moves no cursor."""
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class Lines(logging.Formatter):
    """One readable line a message; a trace follows on its own lines."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        about = _request(record)
        line = f"{moment} {record.levelname:<7} {record.name} {on_one_line(record.getMessage())}"
        if about is not None:
            line += f" [{about}]"
        if record.exc_info:
            # Indented: text in a trace cannot pass for a line of the log.
            line += "".join(f"\n    {on_one_line(one)}" for one in _trace(record).splitlines())
        return without_secrets(line)


class JSONLines(logging.Formatter):
    """One JSON object a message."""

    def format(self, record: logging.LogRecord) -> str:
        shape = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        about = _request(record)
        if about is not None:
            shape["request_id"] = about
        for name, value in record.__dict__.items():
            if name not in _STANDARD and name != "request_id":
                shape[name] = value
        if record.exc_info:
            shape["trace"] = _trace(record)
        return without_secrets(json.dumps(shape, ensure_ascii=False, default=str))


def set_up(settings: Settings, stream: TextIO | None = None) -> None:
    """Let this process log as the settings say."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JSONLines() if settings.log_format == "json" else Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    # Contents are logged as details, which nobody hears unless they are asked for by name.
    contents = logging.DEBUG if settings.log_content else logging.WARNING
    logging.getLogger("bancada.content").setLevel(contents)
    # Libraries that say at this level what we say better, or nobody needs to know.
    for chatty in ("httpx", "httpx2", "httpcore", "anthropic", "aiohttp.access", "alembic"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def _request(record: logging.LogRecord) -> str | None:
    about: str | None = getattr(record, "request_id", None) or request_id.get()
    return about


def _trace(record: logging.LogRecord) -> str:
    assert record.exc_info is not None
    return "".join(traceback.format_exception(*record.exc_info)).rstrip()
