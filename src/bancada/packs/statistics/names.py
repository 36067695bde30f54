"""What charts and rules are called, and what a broken rule usually means, in both languages.

What it usually means is a pattern, never a cause: the chart says when, not why.
"""

from __future__ import annotations

from collections.abc import Mapping

from bancada import Language

CHARTS: Mapping[str, str] = {
    "i-mr": "I-MR",
    "xbarra-r": "X̄-R",
    "xbarra-s": "X̄-S",
    "p": "p",
    "np": "np",
    "c": "c",
    "u": "u",
    "p-laney": "p′ (Laney)",
    "u-laney": "u′ (Laney)",
    "ewma": "EWMA",
    "cusum": "CUSUM",
}
SETS: Mapping[str, str] = {"western_electric": "Western Electric", "nelson": "Nelson"}
NUMBERS: Mapping[str, tuple[int, ...]] = {
    "western_electric": (1, 2, 3, 4),
    "nelson": (1, 2, 3, 4, 5, 6, 7, 8),
}

_BEYOND: dict[Language, str] = {
    "pt": "um ponto além dos limites",
    "en": "a point beyond the limits",
}
_TWO: dict[Language, str] = {
    "pt": "dois de três pontos seguidos além de 2 sigma, do mesmo lado",
    "en": "two of three points in a row beyond 2 sigma, on one side",
}
_FOUR: dict[Language, str] = {
    "pt": "quatro de cinco pontos seguidos além de 1 sigma, do mesmo lado",
    "en": "four of five points in a row beyond 1 sigma, on one side",
}
_MOVED: dict[Language, str] = {
    "pt": "costuma ser um deslocamento do nível",
    "en": "usually a shift of the level",
}
_ONCE: dict[Language, str] = {
    "pt": "costuma ser uma mudança súbita ou um acontecimento isolado",
    "en": "usually a sudden change or a single event",
}
_SMALL: dict[Language, str] = {
    "pt": "costuma ser o começo de um deslocamento",
    "en": "usually the beginning of a shift",
}

RULES: Mapping[str, Mapping[int, tuple[dict[Language, str], dict[Language, str]]]] = {
    "western_electric": {
        1: (_BEYOND, _ONCE),
        2: (_TWO, _SMALL),
        3: (_FOUR, _SMALL),
        4: (
            {
                "pt": "oito pontos seguidos do mesmo lado da linha central",
                "en": "eight points in a row on one side of the centre line",
            },
            _MOVED,
        ),
    },
    "nelson": {
        1: (_BEYOND, _ONCE),
        2: (
            {
                "pt": "nove pontos seguidos do mesmo lado da linha central",
                "en": "nine points in a row on one side of the centre line",
            },
            _MOVED,
        ),
        3: (
            {
                "pt": "seis pontos seguidos sempre a subir ou sempre a descer",
                "en": "six points in a row all rising or all falling",
            },
            {"pt": "costuma ser uma deriva gradual", "en": "usually a gradual drift"},
        ),
        4: (
            {
                "pt": "catorze pontos seguidos a subir e a descer à vez",
                "en": "fourteen points in a row going up and down in turn",
            },
            {
                "pt": "costuma ser dados de duas origens à vez, ou ajustes a mais",
                "en": "usually data of two origins in turn, or over-adjustment",
            },
        ),
        5: (_TWO, _SMALL),
        6: (_FOUR, _SMALL),
        7: (
            {
                "pt": "quinze pontos seguidos a menos de 1 sigma do centro",
                "en": "fifteen points in a row within 1 sigma of the centre",
            },
            {
                "pt": "costuma ser subgrupos que misturam origens, ou limites largos de mais",
                "en": "usually subgroups that mix origins, or limits that are too wide",
            },
        ),
        8: (
            {
                "pt": "oito pontos seguidos a mais de 1 sigma do centro, de ambos os lados",
                "en": "eight points in a row more than 1 sigma from the centre, on both sides",
            },
            {
                "pt": "costuma ser uma mistura de duas populações",
                "en": "usually a mixture of two populations",
            },
        ),
    },
}
"""For each rule of a set: what it says, and what that usually means."""
