"""Sends notices to where people are, by rules that no address of theirs can change.

The sending is done in a process of its own, `courier_worker`, which is started when there is
something to send and ends with it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bancada.custom.addresses import AllowedHost
from bancada.custom.services import scheme_of, service_of
from bancada.domain.errors import Invalid, SettingsError
from bancada.domain.json import dumps, loads
from bancada.domain.notices import Channel
from bancada.settings import NoticeSettings

START_SECONDS = 20.0
SEND_SECONDS = 30.0
_KEPT = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE")
"""All that the process is told of our environment: whom the operator trusts."""


@dataclass(frozen=True)
class Letter:
    """Something to be said at an address."""

    channel: Channel
    address: str
    title: str = ""
    body: str = ""


@dataclass(frozen=True)
class DeliveryOutcome:
    """What became of it; `final`: trying again would change nothing."""

    ok: bool
    final: bool = False
    problem: str = ""
    shown: str = ""


LOST = DeliveryOutcome(False, problem="It took too long.")


@dataclass(frozen=True)
class Courier:
    """Carries letters as the operator allows."""

    settings: NoticeSettings
    private: Sequence[str] = ()
    """Addresses that outgoing requests may reach although they are not public."""

    async def check(self, channel: Channel, address: str) -> str:
        """The address as it may be shown. Raises `Invalid` where nothing could go there."""
        self._allow(channel, address)
        if channel == "email":
            return address
        (found,) = await self._work("check", [Letter(channel, address)])
        if not found.ok:
            raise Invalid("notice_address_bad", problem=found.problem)
        return found.shown

    async def carry(self, letters: Sequence[Letter]) -> list[DeliveryOutcome]:
        """Send them, one after the other; each answers for itself."""
        return await self._work("send", letters) if letters else []

    def _allow(self, channel: Channel, address: str) -> None:
        settings = self.settings
        if channel == "email":
            if settings.smtp is None:
                raise Invalid("notice_no_email")
            domain = address.rpartition("@")[2].lower()
            if settings.email_domains and domain not in settings.email_domains:
                raise Invalid("notice_email_domain", domains=", ".join(settings.email_domains))
            return
        scheme = scheme_of(address)
        if scheme is None or scheme not in settings.schemes:
            raise Invalid("notice_no_such_service", names=", ".join(settings.schemes))

    async def _work(self, do: str, letters: Sequence[Letter]) -> list[DeliveryOutcome]:
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            "-m",
            "bancada.custom.courier_worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        seconds, answers = START_SECONDS, []
        try:
            for letter in letters:
                process.stdin.write(dumps(self._job(do, letter)).encode() + b"\n")
                async with asyncio.timeout(seconds + SEND_SECONDS):
                    line = await process.stdout.readline()
                if not line:
                    break
                answers.append(DeliveryOutcome(**loads(line)))
                seconds = 0.0
        except (TimeoutError, OSError):
            pass
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
        return [*answers, *([LOST] * (len(letters) - len(answers)))]

    def _job(self, do: str, letter: Letter) -> dict[str, Any]:
        settings = self.settings
        job: dict[str, Any] = {
            "do": do,
            "channel": letter.channel,
            "address": letter.address,
            "title": letter.title,
            "body": letter.body,
            "private": list(self.private),
            "names": None,
            "named": [],
        }
        if letter.channel == "email" and settings.smtp is not None:
            host = settings.smtp.host
            return {**job, "names": [host], "named": [host], "smtp": vars(settings.smtp)}
        service = service_of(letter.address)
        if service is not None and service.hosts:
            return {**job, "names": list(service.hosts)}
        if settings.hosts:
            hosts = [host_of(text) for text in settings.hosts]
            return {**job, "names": hosts, "named": hosts}
        return job


def host_of(text: str) -> str:
    """The host an operator named. Raises `SettingsError` for what is none."""
    try:
        return AllowedHost.read(text).host.removeprefix("*.")
    except Invalid as error:
        raise SettingsError(f"[notices] hosts: {error}") from error
