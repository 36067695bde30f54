"""Reading a sentence for the workspace: categories, roles, departments, quarters, key words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bancada import Language, Sentence

CATEGORIES: Mapping[str, Sequence[str]] = {
    "Financial": (
        "financial", "finance", "financeiro", "financeiros", "financeira", "financeiras", "financas",
    ),
    "HR": ("hr", "rh", "human resources", "recursos humanos"),
    "Operations": ("operations", "operational", "operacoes", "operacional", "operacionais"),
    "IT": ("it", "informatica", "informaticos"),
    "Legal": ("legal", "legais", "juridico", "juridicos", "juridica"),
    "Sales": ("commercial", "comercial", "comerciais"),
}  # fmt: skip

DEPARTMENTS: Mapping[str, Sequence[str]] = {
    "operations": ("operations", "operacoes"),
    "finance": ("finance", "financas", "financeiro", "financeira"),
    "HR": ("hr", "rh", "human resources", "recursos humanos"),
    "IT": ("it", "informatica"),
    "sales": ("sales", "vendas", "comercial"),
    "quality": ("quality", "qualidade"),
    "legal": ("legal", "juridico"),
}

ROLES: Mapping[str, Sequence[str]] = {
    "manager": (
        "manager", "managers", "gestor", "gestora", "gestores", "gestoras", "gerente", "gerentes",
        "chefe", "chefes",
    ),
    "engineer": ("engineer", "engineers", "engenheiro", "engenheira", "engenheiros", "engenheiras"),
    "technician": ("technician", "technicians", "tecnico", "tecnica", "tecnicos", "tecnicas"),
    "analyst": ("analyst", "analysts", "analista", "analistas"),
    "operator": ("operator", "operators", "operador", "operadora", "operadores", "operadoras"),
    "director": ("director", "directors", "diretor", "diretora", "diretores", "directores"),
}  # fmt: skip

ROLE_NAMES: Mapping[str, Mapping[Language, tuple[str, str]]] = {
    "manager": {"pt": ("gestor", "gestores"), "en": ("manager", "managers")},
    "engineer": {"pt": ("engenheiro", "engenheiros"), "en": ("engineer", "engineers")},
    "technician": {"pt": ("técnico", "técnicos"), "en": ("technician", "technicians")},
    "analyst": {"pt": ("analista", "analistas"), "en": ("analyst", "analysts")},
    "operator": {"pt": ("operador", "operadores"), "en": ("operator", "operators")},
    "director": {"pt": ("diretor", "diretores"), "en": ("director", "directors")},
}

RECENT = (
    "recent", "recently", "newest", "latest", "new hires", "recente", "recentes", "recentemente",
    "novos", "novas", "ultimos", "ultimas",
)  # fmt: skip

_QUARTER_WORDS = {
    "1": ("primeiro", "first"),
    "2": ("segundo", "second"),
    "3": ("terceiro", "third"),
    "4": ("quarto", "fourth", "last", "ultimo"),
}

_QUARTER = re.compile(r"\b(?:q([1-4])|([1-4])q|([1-4])\s*\.?\s*[oº°]?\s*trimestre|t([1-4]))\b")

_FILLER = frozenset(
    re.findall(
        r"[\w-]+",
        "a all an and any are about by can could do document documents file files find for "
        "from get give have i in is it like list look looking me my need of on or our paper "
        "papers please search show tell that the there these this those to up want we what "
        "where which with you o os as um uma uns umas e de da dos das em no na nos nas num "
        "numa para por pelo pela sobre com que qual quais ha tem temos todo todos toda todas "
        "encontra encontrar encontre procura procurar procure pesquisa pesquisar pesquise "
        "mostra mostrar mostre lista listar diz da-me quero queria preciso documento "
        "documentos ficheiro ficheiros arquivo arquivos favor existe existem onde esta estao "
        "falam fala mention mentions mencionam ",
    )
)
"""Words that are never what is searched for."""


def named(sentence: Sentence, names: Mapping[str, Sequence[str]]) -> str | None:
    """The first of the things that the sentence names."""
    for name, words in names.items():
        said = [word for word in words if word not in ("it",)]
        # "it" is a pronoun far more often than a department; only its capitals tell.
        if sentence.has(*said) or ("it" in words and re.search(r"\bIT\b", sentence.text)):
            return name
    return None


def quarter(sentence: Sentence) -> str | None:
    """`Q4`, however it is said."""
    if found := _QUARTER.search(sentence.plain):
        sentence.use(found[0])
        return f"Q{next(part for part in found.groups() if part)}"
    if sentence.has("quarter", "trimestre"):
        for number, words in _QUARTER_WORDS.items():
            if sentence.has(*words):
                return f"Q{number}"
    return None


def year(sentence: Sentence) -> str | None:
    found = re.search(r"\b(20\d\d)\b", sentence.plain)
    return found[1] if found else None


def key_words(sentence: Sentence) -> str:
    """What to search for: the quoted text, or the words that are not filler.

    A category and a quarter are written as the documents write them.
    """
    if sentence.quoted:
        return sentence.quoted[0]
    text = sentence.text
    written = {word: name for name, words in CATEGORIES.items() for word in words}
    found: list[str] = []
    for word in re.findall(r"[\w-]+", text):
        folded = Sentence(word).plain
        if folded in _FILLER or folded in ("trimestre", "quarter") or _is_ordinal(folded):
            continue
        if folded in ("hr", "rh"):
            continue  # a category, and no document spells it out
        name = written.get(folded)
        found.append(name.lower() if name == "Financial" else word)
    said = quarter(sentence)
    if said and said not in (word.upper() for word in found):
        found = [word for word in found if word not in "1234"]
        found.append(said)
    return " ".join(dict.fromkeys(found))


def _is_ordinal(word: str) -> bool:
    return any(word in words for words in _QUARTER_WORDS.values()) or bool(
        re.fullmatch(r"[1-4](o|º)?", word)
    )


def how_many(sentence: Sentence, default: int) -> int:
    """The number in "the 5 most recent", within what the tools take."""
    found = re.search(r"\b(\d{1,2})\b(?!\s*(?:\.?\s*[oº°])?\s*trimestre)", sentence.plain)
    return min(50, max(1, int(found[1]))) if found else default


def money(value: float, language: Language) -> str:
    """`€ 1,234,567` in English, `1 234 567 €` in Portuguese."""
    if language == "pt":
        return f"{value:,.0f} €".replace(",", " ")
    return f"€{value:,.0f}"


def percent(value: float, language: Language) -> str:
    text = f"{value:.1f}%"
    return text.replace(".", ",") if language == "pt" else text
