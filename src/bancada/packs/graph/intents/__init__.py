"""What the offline planner understands of this pack, in Portuguese and English.

More specific intents come first: where two fit a sentence equally well, the first is taken.
"""

from __future__ import annotations

from bancada import Intent
from bancada.packs.graph.intents.counts import COUNT_INTENTS
from bancada.packs.graph.intents.edges import EDGE_INTENTS
from bancada.packs.graph.intents.lists import LIST_INTENTS

INTENTS: tuple[Intent, ...] = (*EDGE_INTENTS, *COUNT_INTENTS, *LIST_INTENTS)
