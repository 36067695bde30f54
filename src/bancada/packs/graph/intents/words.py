"""The words of both languages for what the graph holds, and for its dimensions."""

from __future__ import annotations

from bancada import Language
from bancada.packs.graph.schema import fold

_THINGS = """
    coisa coisas no nos entidade entidades elementos itens
    node nodes thing things entity entities items everything
"""
EVERYTHING = frozenset(_THINGS.split())
"""Words that ask for nodes of any label."""

_LABELS: dict[str, tuple[str, ...]] = {
    "Asset": ("ativo", "ativos", "activo", "activos", "equipamento", "equipamentos", "asset", "assets", "equipment"),
    "Pump": ("bomba", "bombas", "pump", "pumps"),
    "Valve": ("valvula", "valvulas", "valve", "valves"),
    "Sensor": ("sensor", "sensores", "sensors", "instrumento", "instrumentos"),
    "Biofilter": ("biofiltro", "biofiltros", "biofilter", "biofilters"),
    "Tank": ("tanque", "tanques", "tank", "tanks"),
    "Clarifier": ("decantador", "decantadores", "clarifier", "clarifiers"),
    "Compressor": ("compressor", "compressores", "compressors"),
    "OzoneGenerator": ("gerador de ozono", "geradores de ozono", "ozone generator", "ozone generators"),
    "Chlorinator": ("clorador", "cloradores", "chlorinator", "chlorinators"),
    "Panel": ("quadro", "quadros", "armario", "armarios", "panel", "panels"),
    "Document": ("documento", "documentos", "document", "documents"),
    "Building": ("edificio", "edificios", "building", "buildings"),
    "System": ("sistema", "sistemas", "system", "systems"),
    "Site": ("local", "locais", "instalacao", "instalacoes", "site", "sites"),
    "Category": ("categoria", "categorias", "category", "categories"),
}  # fmt: skip

_DIMENSIONS: dict[str, tuple[str, ...]] = {
    "location": ("localizacao", "localizacoes", "local", "zona", "zonas", "location", "locations"),
    "system": ("sistema", "sistemas", "system", "systems"),
    "context": ("contexto", "contextos", "context", "contexts"),
}

_BY_WORD = {word: label for label, words in _LABELS.items() for word in words}
_PLURALS: dict[str, dict[Language, tuple[str, str]]] = {
    "Asset": {"pt": ("ativo", "ativos"), "en": ("asset", "assets")},
    "Pump": {"pt": ("bomba", "bombas"), "en": ("pump", "pumps")},
    "Valve": {"pt": ("válvula", "válvulas"), "en": ("valve", "valves")},
    "Sensor": {"pt": ("sensor", "sensores"), "en": ("sensor", "sensors")},
    "Biofilter": {"pt": ("biofiltro", "biofiltros"), "en": ("biofilter", "biofilters")},
    "Document": {"pt": ("documento", "documentos"), "en": ("document", "documents")},
    "Building": {"pt": ("edifício", "edifícios"), "en": ("building", "buildings")},
    "System": {"pt": ("sistema", "sistemas"), "en": ("system", "systems")},
    "Category": {"pt": ("categoria", "categorias"), "en": ("category", "categories")},
}


def label_for(words: str) -> str | None:
    """The label people mean by a word; none for "things". A word not known here stays as it is."""
    said = fold(words)
    if said in EVERYTHING:
        return None
    return _BY_WORD.get(said, words.strip())


def is_label(words: str) -> bool:
    """Whether a word is one of those for labels, or for nodes of any."""
    return fold(words) in EVERYTHING or fold(words) in _BY_WORD


def dimension_for(words: str) -> str | None:
    """The dimension that a phrase names, if it names one."""
    said = fold(words).split()
    return next(
        (
            dimension
            for dimension, known in _DIMENSIONS.items()
            if any(word in known for word in said)
        ),
        None,
    )


def counted(count: int, label: str | None, language: Language) -> str:
    """A number with its noun: `1 bomba`, `22 assets`."""
    forms = _PLURALS.get(label or "", {}).get(language)
    if forms is None:
        node = {"pt": ("nó", "nós"), "en": ("node", "nodes")}[language]
        of = {"pt": "do tipo", "en": "of kind"}[language]
        word = node[count != 1]
        return f"{count} {word}" if label is None else f"{count} {word} {of} {label}"
    return f"{count} {forms[count != 1]}"
