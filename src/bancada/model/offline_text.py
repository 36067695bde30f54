"""What the offline model says of itself, in both languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from bancada.domain.people import Language
from bancada.domain.wording import Wording
from bancada.model.language import words

SmallTalk: TypeAlias = Literal["greeting", "thanks", "help", "farewell"]

SHOWN = 10
"""How many examples are listed."""

_SMALL_TALK: tuple[tuple[SmallTalk, frozenset[str]], ...] = (
    (
        "help",
        frozenset(
            {
                "ajuda", "ajudar", "ajudas", "help", "me", "podes", "pode", "fazer", "sabes", "consegues",
                "responder", "perguntas", "perguntar", "o", "que", "como", "what", "can", "you", "do",
                "questions", "ask", "i", "posso", "te", "quais", "tu", "a", "answer", "which", "comandos",
                "commands", "please", "por", "favor", "preciso", "de", "need", "could", "capaz", "es",
            }
        ),
    ),
    (
        "greeting",
        frozenset(
            {
                "ola", "oi", "bom", "boa", "dia", "tarde", "noite", "boas", "viva", "hello", "hi", "hey",
                "good", "morning", "afternoon", "evening", "tudo", "bem", "there", "how", "are", "you",
                "como", "estas", "esta", "alo",
            }
        ),
    ),
    (
        "thanks",
        frozenset(
            {
                "obrigado", "obrigada", "muito", "brigado", "agradecido", "agradecida", "thanks", "thank",
                "you", "very", "much", "a", "lot", "cheers", "perfeito", "perfect", "otimo", "optimo",
                "great", "fixe", "ok", "valeu", "bem", "pela", "ajuda", "for", "the", "your", "help",
            }
        ),
    ),
    (
        "farewell",
        frozenset({"adeus", "tchau", "ate", "logo", "amanha", "bye", "goodbye", "see", "you", "later"}),
    ),
)  # fmt: skip
_TELLING: dict[SmallTalk, frozenset[str]] = {
    "help": frozenset(
        {
            "ajuda",
            "ajudar",
            "ajudas",
            "help",
            "fazer",
            "sabes",
            "consegues",
            "perguntas",
            "perguntar",
        }
        | {"do", "questions", "ask", "comandos", "commands", "answer", "responder", "capaz"}
    ),
    "greeting": frozenset(
        {"ola", "oi", "bom", "boa", "boas", "viva", "hello", "hi", "hey", "good", "alo", "tudo"}
        | {"estas", "are"}
    ),
    "thanks": frozenset(
        {"obrigado", "obrigada", "brigado", "agradecido", "agradecida", "thanks", "thank", "cheers"}
        | {"valeu", "perfeito", "perfect", "otimo", "optimo", "great", "fixe", "ok"}
    ),
    "farewell": frozenset({"adeus", "tchau", "bye", "goodbye", "logo", "later"}),
}
"""One of these must be there; the words above may surround it."""

_OF_A_FILE = (
    frozenset(
        {"ficheiro", "file", "dados", "data", "csv", "excel", "xlsx", "tabela", "table", "upload"}
    ),
    frozenset(
        {"resume", "resumo", "resumir", "summary", "summarise", "summarize", "descreve", "describe"}
        | {
            "colunas",
            "columns",
            "contem",
            "contains",
            "tem",
            "has",
            "in",
            "ha",
            "mostra",
            "show",
            "que",
        }
    ),
)


def small_talk(text: str) -> SmallTalk | None:
    """What a sentence is, if it is nothing but courtesy or a call for help."""
    said = set(words(text))
    if not said:
        return None
    for kind, vocabulary in _SMALL_TALK:
        if said <= vocabulary and said & _TELLING[kind]:
            return kind
    return None


def asks_about_a_file(text: str) -> bool:
    """Whether someone wants to know what a file they uploaded holds."""
    said = set(words(text))
    return all(said & group for group in _OF_A_FILE)


def answer_small_talk(kind: SmallTalk, examples: Sequence[str], language: Language) -> str:
    if kind in ("thanks", "farewell"):
        return Wording(f"offline_{kind}").told(language)
    rest = _what_i_can(examples, language)
    return Wording("offline_greeting", rest=rest).told(language) if kind == "greeting" else rest


def not_understood(
    examples: Sequence[str],
    files: Sequence[str],
    language: Language,
    *,
    missing: str | None = None,
    words: Sequence[str] = (),
) -> str:
    """An honest no, the words it is for, and what would work."""
    opening = Wording("offline_unknown")
    if words:
        named = ", ".join(Wording("offline_quoted", word=one).told(language) for one in words[:12])
        opening = Wording("offline_words", unknown=opening, words=named)
    if missing is not None:
        opening = Wording("offline_needs", tool=missing)
    elif files:
        opening = Wording("offline_file_unclear", unknown=opening, names=", ".join(files))
    return f"{opening.told(language)} {_what_i_can(examples, language)}"


def about_files(uploads: Sequence[str], language: Language) -> str:
    """What was recorded of the last file."""
    summary = re.sub(r"^\s*\[|\]", "", uploads[-1], count=2)
    shown = summary if len(summary) <= 1500 else f"{summary[:1500].rsplit(chr(10), 1)[0]}\n…"
    return f"{Wording('offline_recorded').told(language)}\n\n```\n{shown}\n```"


def failed(problems: Sequence[tuple[str, str]], language: Language) -> str:
    """Calls that ended in an error: which, and what was said. Nothing is claimed beyond that."""
    told = "; ".join(f"`{tool}`: {text.strip()}" for tool, text in dict(problems).items())
    return Wording("offline_failed", problems=told).told(language)


def plainly(tool: str, text: str, language: Language) -> str:
    """A result in its own words, where nobody knows how to tell it better."""
    cut = text if len(text) <= 1000 else f"{text[:1000]}…"
    return f"{Wording('offline_result', tool=tool).told(language)}\n\n{cut}"


def needs(tool: str, language: Language) -> str:
    """A request that is understood and cannot be met."""
    return Wording("offline_needs", tool=tool).told(language)


def too_long(length: int, most: int, language: Language) -> str:
    """A text that is not read, rather than read in part."""
    return Wording("offline_too_long", length=length, most=most).told(language)


def offered(examples: Sequence[str], language: Language) -> list[str]:
    """What can be asked instead, as things to click; nothing where there is nothing."""
    return [_to_click("offline_offered", examples, language)] if examples else []


def _what_i_can(examples: Sequence[str], language: Language) -> str:
    if not examples:
        return Wording("offline_no_questions").told(language)
    return _to_click("offline_questions", examples, language)


def _to_click(opening: str, examples: Sequence[str], language: Language) -> str:
    """A list of questions; the page makes a button of each."""
    questions = (f"- [{example}](#ask)" for example in examples[:SHOWN])
    return "\n".join([Wording(opening).told(language), "", *questions])
