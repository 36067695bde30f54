"""Time stamps of signed heads (RFC 3161): somebody outside says when a line was there.

Whoever can read our key could sign another history and write any date into it. They cannot have
it stamped in the past: each line of the heads is stamped when it is written, and the replies are
kept beside the file, one JSON line each: the digest of the stamped line, and the reply as it came.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cryptography.x509 import load_pem_x509_certificates

from bancada.domain.json import dumps, loads

if TYPE_CHECKING:  # it is loaded where an authority is named, and nowhere else
    from rfc3161_client import VerifierBuilder

STAMPS_FILE = "audit-stamps.jsonl"
LATEST = 3600.0
"""Seconds after its own date within which a line is stamped; later, its date is not believed."""

Ask: TypeAlias = Callable[[bytes], Awaitable[bytes]]
"""Send a query to the time-stamping authority, and bring its reply."""


@dataclass(frozen=True)
class Authority:
    """Who stamps, and the certificates that their replies must lead to."""

    ask: Ask
    roots: Path

    async def stamp(self, line: str) -> str:
        """The line of the stamps' file for one line of heads. Raises where there is no good reply."""
        from rfc3161_client import (
            TimestampRequestBuilder,
            VerifierBuilder,
            decode_timestamp_response,
        )

        query = TimestampRequestBuilder().data(line.encode()).build()
        reply = await self.ask(query.as_bytes())
        verifier = _rooted(VerifierBuilder.from_request(query), self.roots).build()
        verifier.verify_message(decode_timestamp_response(reply), line.encode())
        return dumps({"line": digest(line), "reply": base64.b64encode(reply).decode()})


def digest(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()


def stamped_at(line: str, stamp: str, roots: Path) -> float:
    """When the line was stamped. Raises `ValueError` where the stamp is not one of this line."""
    from rfc3161_client import VerificationError, VerifierBuilder, decode_timestamp_response

    try:
        reply = decode_timestamp_response(base64.b64decode(loads(stamp)["reply"], validate=True))
        _rooted(VerifierBuilder(), roots).build().verify_message(reply, line.encode())
        at = reply.tst_info.gen_time
    except (VerificationError, KeyError, TypeError, ValueError) as error:
        raise ValueError(str(error)) from error
    return float((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp())


def checked_stamps(
    heads: Path, stamps: Path, roots: Path | None
) -> tuple[dict[str, float], list[str]]:
    """When each line of the heads was stamped, by its digest; and what cannot be believed."""
    if not stamps.is_file():
        return {}, []
    if roots is None:
        return {}, [f"{stamps} cannot be checked: BANCADA_AUDIT_TSA_ROOTS is not set"]
    lines = {digest(line): line for line in heads.read_text("utf-8", "replace").splitlines()}
    found: dict[str, float] = {}
    problems: list[str] = []
    for at, stamp in enumerate(stamps.read_text("utf-8", "replace").splitlines(), start=1):
        line = lines.get(_named(stamp))
        if line is None:
            problems.append(f"{stamps}, line {at}: the head that it stamps is gone")
            continue
        try:
            when = stamped_at(line, stamp, roots)
        except ValueError as error:
            problems.append(f"{stamps}, line {at}: the stamp does not fit: {error}")
            continue
        found[digest(line)] = when
        if (said := loads(line).get("at", 0.0)) < when - LATEST:
            problems.append(
                f"{stamps}, line {at}: the head says {_day(said)}, its stamp {_day(when)}"
            )
    return found, problems


def _named(stamp: str) -> str:
    try:
        return str(loads(stamp)["line"])
    except (KeyError, TypeError, ValueError):
        return ""


def _rooted(builder: VerifierBuilder, roots: Path) -> VerifierBuilder:
    for certificate in load_pem_x509_certificates(roots.read_bytes()):
        builder = builder.add_root_certificate(certificate)
    return builder


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")
