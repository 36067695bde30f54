"""The demo served, as the server's own tests have it."""

from __future__ import annotations

from tests.server.conftest import folder, made_once, model, site

__all__ = ["folder", "made_once", "model", "site"]
