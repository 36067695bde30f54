"""Signed heads: what the audit chains ended in, written where the database cannot reach.

A chain shows what was changed within it, not what was cut off its end together with its head
row. So the heads are signed and written, at an interval and at every stop, to a file that is
only ever added to, and to the log: whoever keeps a copy elsewhere can tell later that entries
are missing. The key is in the data folder; who can read it could sign another history, but not
one that fits a copy kept elsewhere.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import os
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from bancada.domain.json import JSONObject, canonical, dumps, loads
from bancada.gate.timestamps import STAMPS_FILE, Authority, checked_stamps
from bancada.store import audit
from bancada.store.audit import Signed
from bancada.store.database import Database
from bancada.store.keyfile import kept

log = logging.getLogger("bancada.audit")

KEY_FILE = "audit-key"
HEADS_FILE = "audit-heads.jsonl"
BEGUN_FILE = "audit-heads.begun"
"""Where the key is elsewhere: that something was signed in this folder."""
TAIL_BYTES = 256 * 1024
"""How much of the file is read to know what was signed last."""


@dataclass(frozen=True)
class SignedHeads:
    """What a file of heads says, and which of its lines cannot be believed."""

    by_organisation: dict[int, dict[int, Signed]]
    problems: tuple[str, ...] = ()
    stamped: int = 0
    """How many of the lines somebody outside has stamped with the time."""

    def of(self, organisation_id: int) -> dict[int, Signed]:
        return self.by_organisation.get(organisation_id, {})

    def with_(self, other: SignedHeads) -> SignedHeads:
        """Both files' lines; of two that differ about an entry, one does not fit the chain."""
        merged = {id: dict(heads) for id, heads in self.by_organisation.items()}
        problems = [*self.problems, *other.problems]
        for id, heads in other.by_organisation.items():
            for number, head in heads.items():
                known = merged.setdefault(id, {}).setdefault(number, head)
                if known.hash != head.hash:
                    problems.append(
                        f"organisation {id}: entry {number} was signed with two different hashes"
                    )
        return SignedHeads(merged, tuple(problems), self.stamped + other.stamped)


@dataclass
class Heads:
    """Signs the heads of one installation's chains, and reads what was signed."""

    folder: Path
    authority: Authority | None = None
    """Who stamps what was signed; none: nobody does."""
    roots: Path | None = None
    """The certificates that stamps must lead to."""
    key: bytes | None = field(default=None, repr=False)
    """What signs, where every process has the same from elsewhere; none: a file of the folder."""
    _last: dict[int, Signed] | None = field(default=None, init=False)

    @property
    def file(self) -> Path:
        return self.folder / HEADS_FILE

    async def write(self, database: Database) -> int:
        """Sign and write every head that has moved; returns how many had."""
        heads = await database.read(audit.heads)
        lines = await asyncio.to_thread(self._write, heads) if heads else []
        if self.authority is not None:
            for line in lines:
                await self._stamp(self.authority, line)
        return len(lines)

    async def _stamp(self, authority: Authority, line: str) -> None:
        try:
            stamp = await authority.stamp(line)
        except Exception as error:
            # The head is signed and written all the same; the next one that is stamped covers it.
            log.error("an audit head could not be time-stamped: %s", error)
            return
        await asyncio.to_thread(_append, self.folder / STAMPS_FILE, [stamp])

    def _write(self, heads: dict[int, tuple[int, str]]) -> list[str]:
        if self._last is None:
            self._last = self._last_signed()
        moved = [
            (id, number, digest)
            for id, (number, digest) in heads.items()
            if self._has_moved(id, number, digest)
        ]
        if not moved:
            return []
        key, now = self._key(), time.time()
        if self.key is not None:
            (self.folder / BEGUN_FILE).touch(mode=0o600)
        lines = [dumps(_signed_line(key, id, number, digest, now)) for id, number, digest in moved]
        _append(self.file, lines)
        for line in lines:
            log.info("audit head %s", line)
        self._last |= {id: Signed(number, digest, now) for id, number, digest in moved}
        return lines

    def _has_moved(self, id: int, number: int, digest: str) -> bool:
        """Whether there is something new to sign; a chain that went back is not signed."""
        last = (self._last or {}).get(id)
        if last is None:
            return True
        if number < last.number or (number == last.number and digest != last.hash):
            log.error(
                "the audit of organisation %d ends at entry %d, but entry %d was signed before: "
                "run `bancada audit verify`",
                id,
                number,
                last.number,
            )
            return False
        return number > last.number

    def read(self) -> SignedHeads:
        """Everything that was signed here. That nothing is left of it is a problem, too."""
        if self.file.is_file():
            found = self.check(self.file)
            stamps = self.folder / STAMPS_FILE
            stamped, problems = checked_stamps(self.file, stamps, self.roots)
            return replace(found, problems=(*found.problems, *problems), stamped=len(stamped))
        # On a machine that has signed nothing yet there is nothing to miss.
        begun = KEY_FILE if self.key is None else BEGUN_FILE
        if (self.folder / begun).is_file():
            return SignedHeads({}, (f"{self.file} is gone",))
        return SignedHeads({})

    def check(self, file: Path) -> SignedHeads:
        """What a file says that was signed with this installation's key."""
        found: dict[int, dict[int, Signed]] = {}
        problems: list[str] = []
        public = self._public_key()
        if public is None:
            return SignedHeads({}, (f"{self.folder / KEY_FILE} is gone: no line can be checked",))
        with file.open(encoding="utf-8", errors="replace") as lines:
            for at, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                head = _believed(line, public)
                if head is None:
                    problems.append(f"{file}, line {at}: the signature does not fit")
                    continue
                id, signed = head
                known = found.setdefault(id, {}).setdefault(signed.number, signed)
                if known.hash != signed.hash:
                    problems.append(
                        f"{file}, line {at}: entry {signed.number} was signed with two hashes"
                    )
        return SignedHeads(found, tuple(problems))

    # ------------------------------------------------------------------ the key

    def _key(self) -> Ed25519PrivateKey:
        pem = self.key or kept(self.folder / KEY_FILE, new_key)
        key = serialization.load_pem_private_key(pem, password=None)
        assert isinstance(key, Ed25519PrivateKey)
        return key

    def _public_key(self) -> Ed25519PublicKey | None:
        here = self.key is not None or (self.folder / KEY_FILE).is_file()
        return self._key().public_key() if here else None

    def _last_signed(self) -> dict[int, Signed]:
        """The newest line of each chain, as far as the end of the file tells."""
        public = self._public_key()
        if public is None or not self.file.is_file():
            return {}
        with self.file.open("rb") as file:
            file.seek(max(0, self.file.stat().st_size - TAIL_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
        return dict(head for line in lines if (head := _believed(line, public)) is not None)


def _append(file: Path, lines: list[str]) -> None:
    # One write of whole lines at the file's end: another process's lines stay whole too.
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, "".join(f"{line}\n" for line in lines).encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def new_key() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _signed_line(
    key: Ed25519PrivateKey, organisation_id: int, number: int, digest: str, at: float
) -> JSONObject:
    line: JSONObject = {
        "organisation_id": organisation_id,
        "number": number,
        "hash": digest,
        "at": at,
        "key": _text(key.public_key().public_bytes_raw()),
    }
    return {**line, "signature": _text(key.sign(canonical(line)))}


def _believed(line: str, public: Ed25519PublicKey) -> tuple[int, Signed] | None:
    """The head that a line tells of, if it was signed with this key."""
    try:
        shape = loads(line)
        signature = base64.b64decode(shape.pop("signature"), validate=True)
        public.verify(signature, canonical(shape))
        head = Signed(int(shape["number"]), str(shape["hash"]), float(shape["at"]))
        return int(shape["organisation_id"]), head
    except (InvalidSignature, ValueError, KeyError, TypeError, AttributeError):
        return None


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
