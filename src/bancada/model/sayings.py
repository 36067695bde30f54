"""What the offline model says of itself, in both languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from bancada.domain.people import Language
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
    if kind == "thanks":
        return {"pt": "De nada!", "en": "You are welcome!"}[language]
    if kind == "farewell":
        return {"pt": "Até à próxima!", "en": "Until next time!"}[language]
    greeting = {"pt": "Olá! ", "en": "Hello! "}[language] if kind == "greeting" else ""
    return greeting + _what_i_can(examples, language)


def not_understood(
    examples: Sequence[str],
    files: Sequence[str],
    language: Language,
    *,
    missing: str | None = None,
    words: Sequence[str] = (),
) -> str:
    """An honest no, the words it is for, and what would work."""
    unknown = {"pt": "Não sei responder a isso.", "en": "I cannot answer that."}[language]
    if words:
        named = ", ".join(f"«{one}»" if language == "pt" else f"“{one}”" for one in words[:12])
        unknown += {
            "pt": f" Não sei o que fazer com {named}.",
            "en": f" I do not know what to do with {named}.",
        }[language]
    opening = unknown if missing is None else needs(missing, language)
    if files and missing is None:
        names = ", ".join(files)
        opening += {
            "pt": f" Tenho o ficheiro {names}, mas não percebi o que procura nele.",
            "en": f" I have the file {names}, but did not understand what you look for in it.",
        }[language]
    return f"{opening} {_what_i_can(examples, language)}"


def about_files(uploads: Sequence[str], language: Language) -> str:
    """What was recorded of the last file."""
    summary = re.sub(r"^\s*\[|\]", "", uploads[-1], count=2)
    shown = summary if len(summary) <= 1500 else f"{summary[:1500].rsplit(chr(10), 1)[0]}\n…"
    opening = {"pt": "Isto é o que ficou registado:", "en": "This is what was recorded:"}[language]
    return f"{opening}\n\n```\n{shown}\n```"


def failed(problems: Sequence[tuple[str, str]], language: Language) -> str:
    """Calls that ended in an error: which, and what was said. Nothing is claimed beyond that."""
    told = "; ".join(f"`{tool}`: {text.strip()}" for tool, text in dict(problems).items())
    return {"pt": f"Não foi possível. {told}", "en": f"That was not possible. {told}"}[language]


def plainly(tool: str, text: str, language: Language) -> str:
    """A result in its own words, where nobody knows how to tell it better."""
    cut = text if len(text) <= 1000 else f"{text[:1000]}…"
    return {"pt": f"Resultado de `{tool}`:", "en": f"Result of `{tool}`:"}[language] + f"\n\n{cut}"


def needs(tool: str, language: Language) -> str:
    """A request that is understood and cannot be met."""
    return {
        "pt": f"Percebi o pedido, mas precisa da ferramenta `{tool}`, que agora não posso usar.",
        "en": f"I understood, but this needs the tool `{tool}`, which I cannot use now.",
    }[language]


def too_long(length: int, most: int, language: Language) -> str:
    """A text that is not read, rather than read in part."""
    return {
        "pt": f"A pergunta tem {length} caracteres. Em modo offline, sem modelo de linguagem, leio até "
        f"{most}: uma pergunta mais curta, por favor.",
        "en": f"The question has {length} characters. In offline mode, without a language model, I read "
        f"up to {most}: a shorter question, please.",
    }[language]


def offered(examples: Sequence[str], language: Language) -> list[str]:
    """What can be asked instead, as things to click; nothing where there is nothing."""
    if not examples:
        return []
    opening = {"pt": "Pode perguntar, por exemplo:", "en": "You can ask, for example:"}[language]
    return ["\n".join([opening, "", *_to_click(examples)])]


def _to_click(examples: Sequence[str]) -> list[str]:
    """A list of questions; the page makes a button of each."""
    return [f"- [{example}](#ask)" for example in examples[:SHOWN]]


def _what_i_can(examples: Sequence[str], language: Language) -> str:
    if not examples:
        return {
            "pt": "Estou em modo offline, sem modelo de linguagem, e este agente não tem perguntas que eu conheça.",
            "en": "I am the offline mode, without a language model, and know no questions for this agent.",
        }[language]
    opening = {
        "pt": "Estou em modo offline, sem modelo de linguagem; respondo a perguntas como estas:",
        "en": "I am the offline mode, without a language model; I answer questions such as these:",
    }[language]
    return "\n".join([opening, "", *_to_click(examples)])
