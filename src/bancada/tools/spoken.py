"""What people read of a tool: its name in their language, and one call in words.

The words are the tool's own; the arguments in them are a model's. What is made here is text for
one line: nothing in it is markup, and nothing in it changes how the line around it is read.
"""

from __future__ import annotations

import re
import unicodedata

from bancada.domain.json import JSON
from bancada.domain.people import Language
from bancada.tools.tool import Tool

MOST = 160
"""Of an argument, in characters: the whole of it stands below the line."""
FIELD = re.compile(r"\{(\w+)\}")


def name_of(tool: Tool, language: Language) -> str:
    """What people call the tool; without a name of its own, the one it is called by."""
    return tool.names.get(language) or tool.name


def call_in_words(tool: Tool, input: JSON, language: Language) -> str:
    """What the call does, for whoever decides: "Create task: Call the paint supplier".

    Where an argument that the words need is missing, the tool's name has to do.
    """
    words = tool.in_words.get(language)
    given = input if isinstance(input, dict) else {}
    if words is None or any(given.get(name) in (None, "") for name in FIELD.findall(words)):
        return name_of(tool, language)
    return FIELD.sub(lambda field: on_a_line(given[field[1]]), words)


def on_a_line(value: JSON) -> str:
    """An argument as part of a sentence. Signs that turn the direction of what follows, or that
    nobody sees, are left out: they could make the line say something else than it does."""
    text = value if isinstance(value, str) else str(value)
    seen = "".join(" " if sign.isspace() else sign for sign in text)
    plain = " ".join(
        "".join(sign for sign in seen if unicodedata.category(sign) not in ("Cc", "Cf")).split()
    )
    return plain if len(plain) <= MOST else f"{plain[: MOST - 1].rstrip()}…"
