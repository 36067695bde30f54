"""The demo to serve from, made once."""

from tests.server.conftest import folder, made_once

__all__ = ["folder", "made_once"]
