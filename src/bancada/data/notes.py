"""What was guessed, left out or odd about a file that was taken all the same.

A note is a code with named parts. It becomes a sentence (`note_…` of the catalogues) only where
somebody reads it, in that reader's language; the page has the same sentences in its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from bancada.domain.json import JSONObject
from bancada.domain.people import Language
from bancada.domain.wording import CATALOGUES, Wording

Part: TypeAlias = str | int | float

_ORDER = {key.removeprefix("note_"): place for place, key in enumerate(CATALOGUES["en"])}
"""The order of the catalogue: what changes figures comes first."""
_SHOWN = 50
"""Notes of one sort that are told one by one; the rest are counted."""


@dataclass(frozen=True)
class Note:
    """One oddity. `line` is the line of the file (the row, in a workbook), where there is one."""

    code: str
    line: int | None = None
    parts: dict[str, Part] = field(default_factory=dict)

    @property
    def column(self) -> str | None:
        """The column it is about, where it is about one."""
        column = self.parts.get("column")
        return None if column is None else str(column)

    def as_json(self) -> JSONObject:
        """As it is kept with the data set."""
        return {"code": self.code, "line": self.line, "parts": dict(self.parts)}

    @staticmethod
    def of(shape: JSONObject) -> Note:
        """Read one that was kept."""
        return Note(shape["code"], shape["line"], shape["parts"])

    @property
    def wording(self) -> Wording:
        """Its words, the line first."""
        parts = {
            name: Wording(f"type_{part}") if name == "kind" else part
            for name, part in self.parts.items()
        }
        note = Wording(f"note_{self.code}", **parts)
        return note if self.line is None else Wording("note_line", line=self.line, note=note)

    def sentence(self, language: Language) -> str:
        """What a person is told."""
        return self.wording.told(language)


class Notes:
    """Notes of one table, bounded: a file of two million bad rows must not become two million notes."""

    def __init__(self) -> None:
        self._kept: list[Note] = []
        self._counts: Counter[str] = Counter()

    def add(self, code: str, line: int | None = None, **parts: Part) -> None:
        self._counts[code] += 1
        if self._counts[code] <= _SHOWN:
            self._kept.append(Note(code, line, parts))

    def speak_of(self, column: str) -> bool:
        return any(note.column == column for note in self._kept)

    def all(self) -> list[Note]:
        """Sort by sort, in the order of the file; after each sort how many more there were."""
        over = (
            Note("more", None, {"count": count - _SHOWN, "of": code})
            for code, count in self._counts.items()
            if count > _SHOWN
        )
        return sorted([*self._kept, *over], key=_place)


def _place(note: Note) -> tuple[int, bool, int]:
    more = note.code == "more"
    code = str(note.parts["of"]) if more else note.code
    return _ORDER[code], more, note.line or 0


def sentences(notes: Iterable[JSONObject], language: Language) -> list[str]:
    """Kept notes as sentences."""
    return [Note.of(note).sentence(language) for note in notes]
