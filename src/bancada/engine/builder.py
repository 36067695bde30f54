"""A stretch of a turn, made ready from its record: what is offered, to whom, and who answers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlalchemy import Connection

from bancada.domain.calls import CODE_TOOL
from bancada.engine.attachments import AttachmentShelf
from bancada.engine.codetool import usable_code
from bancada.engine.context import ARTIFACT_HINT, RequestFrame, system_text
from bancada.engine.models import Models
from bancada.engine.money import MoneyUnderWay
from bancada.engine.offer import SEARCH_TOOL, Offer, offer
from bancada.engine.prompts import fitted
from bancada.engine.record import LoadedTurn, Record
from bancada.engine.sandboxes import SandboxService
from bancada.engine.search import found_tools
from bancada.engine.services import FileShelf
from bancada.engine.tables import Tables, with_tables
from bancada.engine.turn import ProviderSetup, Turn
from bancada.gate.gate import Gate
from bancada.gate.listing import visible_tools
from bancada.gate.scope import CallScope
from bancada.model.providers import Route
from bancada.policy.rules import Rules
from bancada.settings import Settings
from bancada.store.messages import StoredMessage
from bancada.tools.registry import Registry
from bancada.tools.tool import Tool

SHOWING = ("render", "dashboard")
"""Categories of tools that answer no question."""


@dataclass(frozen=True)
class TurnBuilder:
    """Makes turns ready with the workbench's rooms."""

    settings: Settings
    registry: Registry
    gate: Gate
    models: Models
    jail: SandboxService
    tables: Tables
    files: FileShelf
    money: MoneyUnderWay
    attachments: AttachmentShelf

    async def build(self, record: Record) -> Turn:
        """Everything a stretch of a turn needs, from its record."""
        loaded, visible = await record.load(self._tools_of)
        talk, house = loaded.turn.conversation_id, loaded.turn.organisation_id
        ours = await self.tables.pack_shapes(house)
        tools = [(with_tables(tool, ours), rules) for tool, rules in visible]
        agent = loaded.agent
        usable = usable_code(agent.code, tools)
        tools = [(tool, rules) for tool, rules in tools if tool.name != CODE_TOOL]
        if usable == "local" and self.jail.missing is not None:
            usable = "direct"
        routes = self.models.routes(agent, loaded.conversation)
        tables = await self.tables.shapes(talk, house) if self.models.keyword in routes else ()

        def way(route: Route) -> ProviderSetup:
            """What a turn works with when this provider answers it."""
            planner = route is self.models.keyword
            small = route.provider.limits.is_small
            code = "direct" if usable == "anthropic" and planner else usable
            offering = [(_for_small(tool), rules) for tool, rules in tools] if small else tools
            most = 0 if small else self.settings.deferred_tools_above

            def offered_after(messages: list[StoredMessage]) -> Offer:
                return offer(
                    offering,
                    code=code,
                    # The offline planner reads every definition and does not search for more.
                    deferred_above=sys.maxsize if planner else most,
                    vendor_search=self.models.searches(route),
                    found=found_tools(messages),
                    brief=not small,
                )

            offered = offered_after(loaded.messages)
            searches = any(tool["name"] == SEARCH_TOOL for tool in offered.definitions)
            frame = RequestFrame(
                model=route.model,
                max_tokens=agent.max_tokens,
                system=self._system(loaded, tools, offered, small=small),
                tools=offered.definitions,
                code=code,
                extra={} if agent.effort is None else {"output_config": {"effort": agent.effort}},
                provider=route.provider.name,
                honours=self.models.providers.honours(route),
                organisation_id=house,
                tables=tables if planner else (),
            )
            return ProviderSetup(
                route=route,
                frame=frame,
                functions=offered.functions,
                offered=(lambda seen: offered_after(seen).definitions) if searches else None,
            )

        files = await self.tables.files(talk, house) if usable == "local" else ()
        return Turn(
            record=record,
            gate=self.gate,
            money=self.money,
            routes=routes,
            way=way,
            loaded=loaded,
            open_sandbox=self.jail.sandbox if usable == "local" else None,
            files=tuple(files),
            filled=partial(self.attachments.filled, talk),
            can_show=self.models.does,
            hold_seconds=self.settings.code_hold_seconds,
            keep_file=lambda file: self.files.keep(
                file,
                organisation_id=house,
                user_id=loaded.turn.user_id,
                conversation_id=talk,
            ),
        )

    def _tools_of(self, db: Connection, loaded: LoadedTurn) -> list[tuple[Tool, Rules]]:
        self.models.refresh(db)
        scope = CallScope(
            person_id=loaded.turn.user_id,
            organisation_id=loaded.turn.organisation_id,
            agent=loaded.agent,
        )
        return visible_tools(db, self.registry, self.gate.rulebook, scope)

    def _system(
        self,
        loaded: LoadedTurn,
        tools: Sequence[tuple[Tool, Rules]],
        offered: Offer,
        *,
        small: bool,
    ) -> str:
        """The conversation's system text; the same bytes for as long as the tools are the same."""
        agent = loaded.agent
        text = loaded.conversation.settings.get("system") or system_text(agent.system_prompt)
        if small:
            text = text.removesuffix(ARTIFACT_HINT).rstrip() or text
        exist = {tool.name for tool in self.registry.for_person(loaded.person)}
        found_later = {tool.name for tool, _ in tools if tool.deferred and not small}
        named = {str(shape["name"]) for shape in offered.definitions}
        callable_from_code = {function.name for function in offered.functions}
        return fitted(
            text,
            known=exist | set(agent.tools) | {CODE_TOOL},
            offered=named | callable_from_code | found_later,
        )


def _for_small(tool: Tool) -> Tool:
    """What a model with a small window is not shown until it looks for it: tools that show things."""
    return replace(tool, deferred=True) if tool.category in SHOWING else tool
