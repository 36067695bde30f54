"""What we say to people: a key with named parts, put into words when the reader is known.

The rooms name what happened (`Wording("no_tool", name=…)`); `catalogue` has a sentence a key in
each language. A part may be a wording itself, so nothing finished is ever translated.
"""

from __future__ import annotations

from typing import Any

from bancada.domain.catalogue import english, portuguese
from bancada.domain.json import JSONObject
from bancada.domain.people import Language

CATALOGUES: dict[Language, dict[str, str]] = {
    "en": english.SENTENCES,
    "pt": portuguese.SENTENCES,
}


class Wording:
    """One thing to say, in no language yet."""

    __slots__ = ("key", "parts")

    def __init__(self, key: str, /, **parts: Any) -> None:
        self.key = key
        self.parts = parts

    def told(self, language: Language = "en") -> str:
        """The sentence in the reader's language."""
        return CATALOGUES[language][self.key].format_map(
            {name: _part(value, language) for name, value in self.parts.items()}
        )

    def __str__(self) -> str:
        return self.told("en")

    def as_json(self) -> JSONObject:
        """How it is stored: a page that is read next month may be read in another language."""
        return {"key": self.key, "parts": {name: _kept(one) for name, one in self.parts.items()}}

    @staticmethod
    def of(stored: JSONObject) -> Wording:
        if stored["key"] not in CATALOGUES["en"]:  # it was said by another version
            return Wording("as_said", text=stored["key"])
        parts = {name: _read(one) for name, one in stored["parts"].items()}
        return Wording(stored["key"], **parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wording) and (self.key, self.parts) == (other.key, other.parts)

    def __hash__(self) -> int:
        return hash((self.key, tuple(self.parts)))

    def __repr__(self) -> str:
        return f"Wording({self.key!r}, {self.parts!r})"


class Either(tuple[Any, ...]):
    """Several parts of which one holds: "a, b or c"."""

    def told(self, language: Language) -> str:
        return f" {CATALOGUES[language]['or']} ".join(str(_part(one, language)) for one in self)


def _part(value: Any, language: Language) -> Any:
    if isinstance(value, Wording | Either):
        return value.told(language)
    if isinstance(value, float):
        return f"{value:.12g}".replace(".", "," if language == "pt" else ".")
    said = getattr(value, "wording", None)
    return said.told(language) if isinstance(said, Wording) else value


def _kept(value: Any) -> Any:
    if isinstance(value, Either):
        return [_kept(one) for one in value]
    said = value if isinstance(value, Wording) else getattr(value, "wording", None)
    if isinstance(said, Wording):
        return said.as_json()
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _read(value: Any) -> Any:
    if isinstance(value, list):
        return Either(_read(one) for one in value)
    return Wording.of(value) if isinstance(value, dict) else value


def in_each_language(key: str, /) -> dict[Language, str]:
    """One sentence without parts, in every language there is."""
    return {language: Wording(key).told(language) for language in CATALOGUES}
