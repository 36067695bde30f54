"""Words of a sentence, and which of the two languages they are.

Enough to compare a question with example phrases: accents, endings and filler are put aside.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from bancada.domain.intents import plain
from bancada.domain.people import Language


def words(text: str) -> list[str]:
    """Lower case, accents removed, punctuation gone."""
    return re.findall(r"[\w%]+", plain(text))


_PORTUGUESE = frozenset(
    words(
        "o os um uma uns umas de do da dos das em na nas nos num numa ao aos pelo pela por para com sem que"
        " qual quais quanto quanta quantos quantas quem quando onde porque como ha e esta estao sao foi"
        " tem eu tu ele ela nos eles meu minha meus teu tua seu sua este esta isto esse essa isso aquele"
        " mais menos muito muita todos todas tambem ja nao sim ola bom boa dia tarde noite obrigado"
        " obrigada ajuda podes pode queria quero mostra mostrar lista faz fazer diz dizer cria criar gera"
        " gerar entre ate desde ontem hoje amanha ultimo ultima ultimos ultimas cada agora depois favor"
        " adeus fixe preciso consegues sabes existe existem houve soma media mediana maior menor numero"
        " percentagem grafico compara"
    )
)
_ENGLISH = frozenset(
    words(
        "the an of in on at by with without for from to and or but is are was were be been has have had"
        " do does did what which who when where why how many much there this that these those my your"
        " his her its our their i you he she it we they all any some most more less please show me list"
        " give tell make create draw hello hi thanks thank help can could would will should need want"
        " between until since yesterday today tomorrow last first each per every now then also if not"
        " yes good morning afternoon evening goodbye bye find check sum average median highest lowest"
        " number percentage chart compare share"
    )
)
_BOTH = _PORTUGUESE & _ENGLISH
_NAME = re.compile(r"(?<=[\w,] )[A-ZÀ-Þ]\w*")
"""A capital inside a sentence: names keep their accents in every language."""

_FILLER = frozenset(
    words(
        "o os a as um uma uns umas de do da dos das em no na nos nas num numa ao aos pelo pela por para"
        " com que qual quais e ha esta estao sao foi ser tem ter me meu minha te se favor porfavor"
        " the an of in on at by with for from to and or is are was were be do does did has have there"
        " this that these those my your it its me please can could would you i we what which"
        " quero queria podes pode posso want need like eu tu ola hello hi oi hey"
    )
)
"""Words that say nothing of what is wanted."""

_WEAK = frozenset(
    words(
        "quanto quanta quantos quantas how many much mostra mostrar mostre lista listar diz dizer da dar"
        " faz fazer faca show list give tell make get find quem who onde where quando when como todos"
        " todas all any mais most more"
    )
)
"""Words that say how, not what: they count for less."""

_ENDINGS = re.compile(
    r"(?:amentos?|imentos?|ations?|acoes|acao|ando|endo|indo|aram|eram|iram|ings?|adas?|ados?|idas?"
    r"|idos?|ied|ies|oes|ais|eis|ed|ar|er|ir|am|em|es|as|os|ao|s|a|o|e|y)$"
)


_POLITE = frozenset(
    words(
        "por favor gostava gostaria saber quanto quanta quantos quantas how many much mostra mostrar mostre"
        " lista listar diz dizer dar faz fazer faca show list give tell make get find todos todas all"
        " any agora now aqui here ja mas but tambem also apenas neste nesta deste desta existe existem"
        " temos tenho tens have we our nosso nossa nossos do does draw desenha plot display apresenta work works"
        " trabalha trabalham alguma algum some houve isso isto s vou ia pretendo let us know just ve ver see look"
    )
)


def is_filler(word: str) -> bool:
    """Whether a word says nothing of what is wanted."""
    return word in _FILLER or word in _POLITE


def stem(word: str) -> str:
    """A word without its ending, so that plurals and verb forms meet."""
    if word.isdigit() or len(word) < 4:
        return word
    once = _ENDINGS.sub("", word)
    if len(once) < 3:
        return word
    return once if len(once) < 5 else re.sub(r"[aeoy]$", "", once)


def weights(text: str) -> dict[str, float]:
    """The stems that carry meaning, and how much each carries; numbers carry none.

    A sentence of nothing but filler keeps its filler: it must still be told from others.
    """
    all_words = [word for word in words(text) if not word.replace("_", "").isdigit()]
    kept = [word for word in all_words if word not in _FILLER] or all_words
    return {stem(word): 0.4 if word in _WEAK else 1.0 for word in kept}


def language_of(
    text: str,
    *,
    default: Language | None = None,
    vocabulary: Mapping[Language, Collection[str]] | None = None,
) -> Language | None:
    """Portuguese or English, or `default` when the words do not tell.

    `vocabulary` holds stems that each language's example phrases use: a question of nothing
    but nouns is recognised by them.
    """
    found = words(text)
    accents = re.findall(r"[ãõçáéíóúâêôà]", _NAME.sub("", text).lower())
    portuguese = _votes(found, _PORTUGUESE) + 2.0 * len(accents)
    english = _votes(found, _ENGLISH)
    if vocabulary:
        stems = {stem(word) for word in found}
        pt, en = (set(vocabulary.get(language, ())) for language in ("pt", "en"))
        portuguese += 0.6 * len(stems & (pt - en))
        english += 0.6 * len(stems & (en - pt))
    if portuguese == english:
        return default
    return "pt" if portuguese > english else "en"


def _votes(found: Iterable[str], known: frozenset[str]) -> float:
    return sum(1.0 for word in found if word in known and word not in _BOTH)
