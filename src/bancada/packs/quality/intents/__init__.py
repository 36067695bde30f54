"""What the offline planner understands of this pack, in Portuguese and English.

More specific intents come first: where two fit a sentence equally well, the first is taken.
"""

from __future__ import annotations

from bancada import Intent
from bancada.packs.quality.intents.code import CODE_INTENTS
from bancada.packs.quality.intents.counts import COUNT_INTENTS
from bancada.packs.quality.intents.dashboards import DASHBOARD_INTENTS
from bancada.packs.quality.intents.process import PROCESS_INTENTS

INTENTS: tuple[Intent, ...] = (
    *PROCESS_INTENTS,
    *CODE_INTENTS,
    *DASHBOARD_INTENTS,
    *COUNT_INTENTS,
)
