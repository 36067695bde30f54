"""How much one upload may take."""

from __future__ import annotations

from dataclasses import dataclass

_MB = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class IngestLimits:
    """Bounds of one upload. Over any of them the person gets a sentence, not a stalled server."""

    bytes: int = 512 * _MB
    unpacked_bytes: int = 1024 * _MB
    """What a workbook may grow to when its parts are decompressed."""
    columns: int = 1_000
    rows: int = 20_000_000
    sheets: int = 20
    seconds: float = 300.0
    memory: int = 512 * _MB
    """What DuckDB may use; the process as a whole may use four times that."""
    threads: int = 2
    disk: int = 4096 * _MB
    """The largest file that may be written on the way."""

    @property
    def process_memory(self) -> int:
        return 4 * self.memory


DEFAULT_LIMITS = IngestLimits()
