"""Reading a question against the graph it is about: its own labels, kinds, dimensions and names.

A plan either uses every word that carries meaning, or says which ones it did not understand: a
condition that was dropped would make the answer one to another question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from bancada import Answered, Intent, JSONObject, Language, Results, Sentence, Step, ToolFailed
from bancada.packs.graph.embedded import LadybugGraph
from bancada.packs.graph.intents.telling import Telling
from bancada.packs.graph.intents.words import EVERYTHING, listed, meaningful
from bancada.packs.graph.schema import fold

TOOLS = (
    "find_node",
    "search_nodes",
    "count_nodes",
    "count_by_label",
    "count_by_category",
    "count_related",
    "count_related_by_name",
    "count_breakdown",
    "get_node_connections",
    "get_schema",
    "list_categories",
    "list_related",
    "list_related_by_name",
    "shortest_path",
)

READ = 0.95
"""Every word was understood."""
DOUBTFUL = 0.4
"""The form was, and a name or a word in it was not: another reading may be better."""

LAST_RESORT = 0.11
"""Anything else that could be meant comes first."""
_NO_GRAPH = (
    "A sua organização ainda não tem um grafo. Um administrador importa um no painel (Grafo), ou"
    " com `bancada graph import`.",
    "Your organisation has no graph yet. An administrator imports one in the panel (Graph), or"
    " with `bancada graph import`.",
)

_EDGE = " \t\n?!.,;:\"'“”«»"
_BEFORE = re.compile(
    r"^(?:(?:o|a|os|as|um|uma|the|an?)\s+)?(?:(?:categoria|category)\s+(?=\S))?", re.IGNORECASE
)
_PLURAL = re.compile(r"(?<=\w{3})(?:(?<=[rz])es|s)\b", re.IGNORECASE)

Plan: TypeAlias = Callable[[Sentence, LadybugGraph], Sequence[Step] | None]
Tell: TypeAlias = Callable[[Telling], str]


class NotUnderstood(Exception):
    """The form of a question fits, and these words in it mean nothing in this graph."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(listed(words))
        self.words = tuple(words)


def matched(sentence: Sentence, patterns: Iterable[re.Pattern[str]]) -> dict[str, str] | None:
    """The named parts of the first pattern that fits the whole sentence, as the person wrote them.

    Patterns are written without accents and in lower case.
    """
    text, plain = sentence.text, sentence.plain
    # Where folding changed the length, positions do not line up; names compare folded anyway.
    source = text if len(text) == len(plain) else plain
    for pattern in patterns:
        found = pattern.search(plain)
        if found:
            sentence.use(text)  # a pattern is of the whole sentence
            spans = ((name, found.span(name)) for name in pattern.groupindex)
            return {name: tidy(source[a:b]) for name, (a, b) in spans if a >= 0}
    return None


def tidy(words: str) -> str:
    """A name without the marks around it and the article, or the word "category", before it."""
    return _BEFORE.sub("", words.strip(_EDGE)).strip(_EDGE)


def singular(words: str) -> str:
    """Each word without its plural ending: names are looked for as parts of longer ones."""
    return _PLURAL.sub("", words)


def patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    """Patterns for whole sentences; courtesies before and marks after are allowed for."""
    return tuple(
        re.compile(
            rf"^\s*[¿¡]?(?:(?:ola|por favor|podes|pode|diz-me|diga-me|hello|please|can you|tell me)[,:]?\s+)*"
            rf"(?:{text})\s*[?!.]*\s*$"
        )
        for text in texts
    )


def label_in(graph: LadybugGraph, words: str) -> str | None:
    """The label or kind that words name; none for "things"."""
    said = tidy(words)
    if fold(said) in EVERYTHING:
        return None
    group = graph.schema.group_called(said)
    if group is not None:
        return group.word
    parts = said.split()
    known = [n for n, part in enumerate(parts) if graph.schema.group_called(part) is not None]
    others = [part for n, part in enumerate(parts) if n not in known]
    raise NotUnderstood(meaningful(others) or (said,))


def name_in(graph: LadybugGraph, words: str) -> str:
    """The name of a node; one that nobody has is looked up all the same, and told.

    Words that follow a name which somebody has are no part of it.
    """
    if graph.names.named(words, limit=1).total:
        return words
    parts = words.split()
    for end in range(len(parts) - 1, 0, -1):
        if graph.names.named(" ".join(parts[:end]), limit=1).match == "exact":
            raise NotUnderstood(meaningful(parts[end:]) or parts[end:])
    return words


def only_known(graph: LadybugGraph, words: str) -> None:
    """Refuse words that are neither dimensions, labels nor small words."""
    unknown = [
        word
        for word in meaningful(words.split())
        if graph.schema.dimension_called(word) is None and graph.schema.group_called(word) is None
    ]
    if unknown:
        raise NotUnderstood(unknown)


class Reader:
    """Makes intents that read a sentence against the graph of whoever asks."""

    def __init__(self, graph_of: Callable[[int], LadybugGraph]) -> None:
        self._graph_of = graph_of
        self._plans: list[Plan] = []

    def graph(self, sentence: Sentence) -> LadybugGraph | None:
        """None where nobody is known to ask, or the organisation has no graph."""
        if sentence.organisation_id is None:
            return None
        try:
            return self._graph_of(sentence.organisation_id)
        except ToolFailed:
            return None

    def intent(
        self,
        name: str,
        pt: Sequence[str],
        en: Sequence[str],
        plan: Plan,
        tell: Tell,
        then: Callable[[Sentence, Sequence[Answered]], Sequence[Step]] | None = None,
    ) -> Intent:
        self._plans.append(plan)

        def planned(sentence: Sentence) -> Sequence[Step] | None:
            graph = self.graph(sentence)
            try:
                return None if graph is None else plan(sentence, graph)
            except NotUnderstood:
                return None

        def fits(sentence: Sentence) -> float:
            graph, steps = self.graph(sentence), planned(sentence)
            if graph is None or steps is None:
                return 0.0
            return READ if all(_is_known(graph, step.input) for step in steps) else DOUBTFUL

        def told(sentence: Sentence, results: Results) -> str:
            graph = self.graph(sentence)
            return tell(Telling(sentence, results, None if graph is None else graph.schema))

        phrases: Mapping[Language, Sequence[str]] = {"pt": pt, "en": en}
        return Intent(
            name=name, phrases=phrases, plan=planned, tell=told, then=then, fits=fits, tools=TOOLS
        )

    def unclear(self) -> Intent:
        """What is said of a question about the graph that nothing above could read whole."""

        def fits(sentence: Sentence) -> float:
            return DOUBTFUL if self._words(sentence) else 0.0

        def plan(sentence: Sentence) -> Sequence[Step] | None:
            return [] if self._words(sentence) else None

        def tell(sentence: Sentence, results: Results) -> str:
            graph = self.graph(sentence)
            return sentence.say(
                "Não percebi {}, e por isso não respondi. O grafo tem: {}.",
                "I did not understand {}, so I did not answer. The graph has: {}.",
                listed(self._words(sentence)),
                "" if graph is None else ", ".join((*graph.schema.labels, *graph.schema.kinds)),
            )

        return Intent(
            name="graph_unclear", phrases={}, plan=plan, tell=tell, fits=fits, tools=("get_schema",)
        )

    def missing(self) -> Intent:
        """What is said to somebody whose organisation has no graph, whatever they ask of it."""

        def there(sentence: Sentence) -> bool:
            return sentence.organisation_id is None or self.graph(sentence) is not None

        return Intent(
            name="graph_missing",
            phrases={},
            plan=lambda sentence: None if there(sentence) else [],
            tell=lambda sentence, results: sentence.say(*_NO_GRAPH),
            fits=lambda sentence: 0.0 if there(sentence) else LAST_RESORT,
            tools=("get_schema",),
        )

    def _words(self, sentence: Sentence) -> Sequence[str]:
        """The words that were not understood of a question that is about the graph."""
        graph = self.graph(sentence)
        if graph is None:
            return ()
        for plan in self._plans:
            try:
                if plan(sentence, graph) is not None:
                    return ()
            except NotUnderstood as problem:
                return problem.words
        return _unread(sentence, graph)


def _is_known(graph: LadybugGraph, input: JSONObject) -> bool:
    """Whether the name a step looks for is somebody's."""
    return "name" not in input or bool(graph.names.named(str(input["name"]), limit=1).total)


def _unread(sentence: Sentence, graph: LadybugGraph) -> Sequence[str]:
    """The strange words of a sentence that also has a label or a name of the graph in it."""
    words = [word.strip(_EDGE) for word in sentence.text.split()]
    mentioned = False
    strange: list[str] = []
    at = 0
    while at < len(words):
        length = _mention(graph, words[at : at + LONGEST_NAME])
        mentioned = mentioned or length > 0
        if not length:
            strange.append(words[at])
        at += length or 1
    return meaningful(strange) if mentioned else ()


LONGEST_NAME = 8
"""How many words of a name are recognised inside a sentence."""


def _mention(graph: LadybugGraph, words: Sequence[str]) -> int:
    """How many of these words, from the first one on, are a name or a label of the graph."""
    for end in range(len(words), 0, -1):
        phrase = " ".join(words[:end])
        if not any(letter.isalpha() for letter in phrase) or not meaningful(words[:end]):
            continue
        if graph.names.named(phrase, limit=1).match == "exact":
            return end
        if graph.schema.group_called(phrase) is not None:
            return end
    return 0
