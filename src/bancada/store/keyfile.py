"""Secrets of the installation that are made once and kept in the data folder, for its owner only."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path


def kept(path: Path, make: Callable[[], bytes]) -> bytes:
    """What the file holds; made and written first where there is none."""
    if not path.exists():
        # Written aside and linked: two processes that start at once agree on one secret.
        draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
        draft.touch(mode=0o600)
        draft.write_bytes(make())
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_bytes()
