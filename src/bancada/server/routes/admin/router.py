"""For administrators: people, agents, tools, keys, what happened and what it cost.

An administrator acts within their own organisation; those of the first one manage the others,
and their word on a tool holds for everybody.
"""

from __future__ import annotations

from fastapi import APIRouter

from bancada.server.routes.admin import (
    agents,
    audit,
    connections,
    containers,
    customtools,
    experiments,
    feedback,
    keys,
    models,
    organisations,
    panel,
    persons,
    policy,
    shares,
    signin,
    system,
    tools,
    turns,
    usage,
    users,
)

router = APIRouter()
for part in (
    users,
    persons,
    agents,
    tools,
    customtools,
    connections,
    panel,
    policy,
    organisations,
    keys,
    audit,
    usage,
    experiments,
    feedback,
    shares,
    signin,
    containers,
    turns,
    models,
    system,
):
    router.routes.extend(part.router.routes)
