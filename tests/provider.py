"""A real OpenID provider in a process of its own: npm's `oidc-provider`, told what to say.

Beside it a browser without eyes, which follows redirects and fills in the provider's form.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

NODE = Path(__file__).parent / "node"
PROGRAM = NODE / "node_modules" / ".bin" / "node"
SECRET = "a secret with / and + in it, 32 bytes"
CLIENT = "bancada"


@dataclass
class OpenProvider:
    """A running provider."""

    issuer: str

    def says(self, **state: Any) -> None:
        """Change its accounts (`accounts`), or what is wrong with its tokens (`wrong`, `claims`)."""
        httpx.post(f"{self.issuer}/control", json=state).raise_for_status()

    def access_token(self, **claims: Any) -> str:
        """A token with these claims; `foreign` signs it with a key of somebody else's."""
        return httpx.post(f"{self.issuer}/mint", json=claims).raise_for_status().text

    def settings(self, **more: Any) -> dict[str, Any]:
        """The table of `bancada.toml` for it."""
        return {
            "issuer": self.issuer,
            "client_id": CLIENT,
            "client_secret": SECRET,
            "scopes": ["openid", "profile", "email", "groups"],
            **more,
        }


def missing() -> None:
    """There is nothing to test with: said, and a failure where everything must be there."""
    said = "there is no OpenID provider to test with: run `make install` with Node 20 or newer"
    if os.environ.get("CI"):
        pytest.fail(said)
    pytest.skip(said)


@contextmanager
def open_provider(*names: str) -> Iterator[OpenProvider]:
    """A provider for installations on this machine that know it by one of these names; it ends
    with the block."""
    if not PROGRAM.exists() or not (NODE / "node_modules" / "oidc-provider").exists():
        missing()
    process = subprocess.Popen(
        [str(PROGRAM), str(NODE / "provider.mjs"), *names],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=NODE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line.startswith("PROVIDER "):
                yield OpenProvider(line.split()[1])
                break
        else:
            raise AssertionError("the provider did not start")
    finally:
        process.stdin.close()
        process.wait(10)


async def comes_back(browser: httpx.AsyncClient, start: str, login: str) -> str:
    """Begin a sign-in as a browser does; the address that the provider sends it back to."""
    answer = await browser.get(start)
    while answer.is_redirect:
        target = str(answer.next_request.url) if answer.next_request else ""
        if "/auth/oidc/" in target and "/callback" in target:
            return target
        answer = await browser.get(target)
        if answer.status_code == 200 and "/interaction/" in str(answer.url):
            action, prompt = (
                re.search(pattern, answer.text)
                for pattern in (r'action="([^"]+)"', r'name="prompt" value="([^"]+)"')
            )
            assert action is not None, answer.text
            assert prompt is not None, answer.text
            form = {"prompt": prompt[1], "login": login, "password": "any"}
            answer = await browser.post(action[1], data=form)
    raise AssertionError(f"{answer.status_code}: {answer.text[:500]}")
