"""Reading a sentence (filters, numbers) and writing figures, for all intents of the pack."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from bancada import JSONObject, Language, Sentence
from bancada.packs.quality.table import TABLE, VALUES

SHIFTS = ("manha", "tarde", "noite")
MONTHS = {
    "janeiro": 1, "january": 1, "fevereiro": 2, "february": 2, "marco": 3, "march": 3,
    "abril": 4, "april": 4, "maio": 5, "may": 5, "junho": 6, "june": 6, "julho": 7, "july": 7,
    "agosto": 8, "august": 8, "setembro": 9, "september": 9, "outubro": 10, "october": 10,
    "novembro": 11, "november": 11, "dezembro": 12, "december": 12,
}  # fmt: skip
DEMO_YEAR = 2026
"""The year meant by a month without one: the log's."""

NUMBER_WORDS = {
    "um": 1, "uma": 1, "one": 1, "dois": 2, "duas": 2, "two": 2, "tres": 3, "three": 3,
    "quatro": 4, "four": 4, "cinco": 5, "five": 5, "seis": 6, "six": 6, "sete": 7, "seven": 7,
    "oito": 8, "eight": 8, "nove": 9, "nine": 9, "dez": 10, "ten": 10,
}  # fmt: skip


ALL = ("tipo_defeito", "turno", "operador", "material", "data_inicio", "data_fim")
PERIOD = ("data_inicio", "data_fim")


def filters(sentence: Sentence, *, keys: Sequence[str] = ALL) -> JSONObject:
    """The filters a sentence names, of those that a tool takes: a word that is looked for counts
    as understood, so nothing else may be looked for."""
    named = ((key, _named(sentence, key)) for key in keys if key not in PERIOD)
    found: JSONObject = {key: value for key, value in named if value is not None}
    if "data_inicio" in keys:
        found.update(_period(sentence))
    return found


def _named(sentence: Sentence, column: str) -> str | None:
    """The one value of a column that a sentence names, as it is written or as people call it.

    A filter takes one: of several, the words stay unread, and the sentence is not this tool's.
    """
    values = (
        value
        for table in sentence.tables
        for one in table.columns
        if (table.name, one.name) == (TABLE, column)
        for value in one.values
        # "outros" alone is an ordinary word, not a request for that type.
        if value != "outros"
    )
    said = {}
    for value in values:
        own = replace(sentence)
        called = [word for words in VALUES.get(value, {}).values() for word in words]
        if own.has(value, value.replace("_", " "), value.replace("_", "-"), *called):
            said[value] = own.used
    if len(said) != 1:
        return None
    [(value, used)] = said.items()
    sentence.use(*used)
    return value


def _period(sentence: Sentence) -> JSONObject:
    days = re.findall(r"\b\d{4}-\d{2}-\d{2}\b", sentence.text)
    if len(days) >= 2:
        return {"data_inicio": min(days[:2]), "data_fim": max(days[:2])}
    if days:
        if sentence.has("desde", "a partir de", "since", "from", "after"):
            return {"data_inicio": days[0]}
        if sentence.has("até", "until", "before", "antes de"):
            return {"data_fim": days[0]}
        return {"data_inicio": days[0], "data_fim": days[0]}
    for name, month in MONTHS.items():
        # "may" and "march" are also verbs: in English a month stands after a preposition.
        said = re.search(
            rf"\b(?:em|de|in|during|of)\s+{name}\b(?:\s+(?:de\s+)?(\d{{4}}))?", sentence.plain
        )
        if said:
            sentence.use(said[0])
            year = int(said[1] or DEMO_YEAR)
            following = date(year + month // 12, month % 12 + 1, 1)
            last = date.fromordinal(following.toordinal() - 1)
            return {"data_inicio": f"{year}-{month:02}-01", "data_fim": last.isoformat()}
    return {}


def how_many(sentence: Sentence, default: int) -> int:
    """The number in "os 3 defeitos" or "top three", within what the tool takes."""
    without_dates = re.sub(r"\d{4}-\d{2}-\d{2}|\b\d{4}\b", " ", sentence.plain)
    digits = re.search(r"\b(\d{1,3})\b", without_dates)
    if digits:
        return min(100, max(1, int(digits[1])))
    for word in sentence.words:
        if word in NUMBER_WORDS and word not in ("um", "uma", "one"):
            sentence.use(word)
            return NUMBER_WORDS[word]
    return default


def listed(parts: Sequence[str], language: Language) -> str:
    """`a, b e c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {'e' if language == 'pt' else 'and'} {parts[-1]}"


def figure(value: float, language: Language, digits: int = 1) -> str:
    """A number as people write it: decimal comma in Portuguese, no empty decimals."""
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace(".", ",") if language == "pt" else text


def percent(value: float, language: Language) -> str:
    """One decimal, also when it is zero: shares are read against each other."""
    text = f"{value:.1f}%"
    return text.replace(".", ",") if language == "pt" else text


def shift_name(shift: str, language: Language) -> str:
    return VALUES[shift][language][0] if shift in VALUES else shift


def scope(filters: JSONObject, language: Language) -> str:
    """What a count was limited to, in words that can follow it; empty when to nothing."""
    pt = language == "pt"
    parts: list[str] = []
    if kind := filters.get("tipo_defeito"):
        parts.append(f"do tipo '{kind}'" if pt else f"of type '{kind}'")
    if shift := filters.get("turno"):
        name = shift_name(shift, language)
        parts.append(f"no turno da {name}" if pt else f"in the {name} shift")
    if operator := filters.get("operador"):
        parts.append(f"de {operator}" if pt else f"by {operator}")
    if material := filters.get("material"):
        parts.append(f"em {material}" if pt else f"on {material}")
    first, last = filters.get("data_inicio"), filters.get("data_fim")
    if first and last:
        parts.append(
            (f"em {first}" if pt else f"on {first}")
            if first == last
            else (f"de {first} a {last}" if pt else f"from {first} to {last}")
        )
    elif first:
        parts.append(f"desde {first}" if pt else f"since {first}")
    elif last:
        parts.append(f"até {last}" if pt else f"until {last}")
    return " ".join(["", *parts])
