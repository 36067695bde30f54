"""What the workspace's agent answers without a model, in both languages."""

from __future__ import annotations

from bancada.packs.workspace.intents.actions import ACTION_INTENTS
from bancada.packs.workspace.intents.documents import DOCUMENT_INTENTS
from bancada.packs.workspace.intents.people import PEOPLE_INTENTS

INTENTS = (*DOCUMENT_INTENTS, *PEOPLE_INTENTS, *ACTION_INTENTS)
