"""Bancada: a workbench where a language model uses an organisation's tools.

The names below are the public ones. They load when first used, so that `import bancada`
(and `bancada --help`) costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bancada.data.notes import Note as Note
    from bancada.domain.agents import Agent as Agent
    from bancada.domain.calls import Attachment as Attachment
    from bancada.domain.calls import BrokenRule as BrokenRule
    from bancada.domain.calls import Outcome as Outcome
    from bancada.domain.calls import Widget as Widget
    from bancada.domain.errors import BadDefinition as BadDefinition
    from bancada.domain.errors import Invalid as Invalid
    from bancada.domain.errors import NotFound as NotFound
    from bancada.domain.errors import ToolFailed as ToolFailed
    from bancada.domain.errors import misfit as misfit
    from bancada.domain.intents import Answered as Answered
    from bancada.domain.intents import Intent as Intent
    from bancada.domain.intents import Results as Results
    from bancada.domain.intents import Sentence as Sentence
    from bancada.domain.intents import Step as Step
    from bancada.domain.intents import plain as plain
    from bancada.domain.json import JSON as JSON
    from bancada.domain.json import JSONObject as JSONObject
    from bancada.domain.people import Language as Language
    from bancada.domain.people import Person as Person
    from bancada.domain.studies import FrozenLimits as FrozenLimits
    from bancada.domain.studies import KeptStudy as KeptStudy
    from bancada.domain.tables import TableColumn as TableColumn
    from bancada.domain.tables import TableShape as TableShape
    from bancada.server.dialects import Administrator as Administrator
    from bancada.server.dialects import CurrentPerson as CurrentPerson
    from bancada.server.dialects import Dialogue as Dialogue
    from bancada.server.dialects import ProviderFailed as ProviderFailed
    from bancada.server.dialects import Recorded as Recorded
    from bancada.server.dialects import documented as documented
    from bancada.server.dialects import may_upload as may_upload
    from bancada.server.dialects import pack_folder as pack_folder
    from bancada.server.dialects import pack_jail as pack_jail
    from bancada.server.dialects import pack_kept as pack_kept
    from bancada.tools.inquiries import Inquiry as Inquiry
    from bancada.tools.inquiries import InquiryAnswer as InquiryAnswer
    from bancada.tools.offerings import PackPrompt as PackPrompt
    from bancada.tools.offerings import PackResource as PackResource
    from bancada.tools.offerings import PromptArgument as PromptArgument
    from bancada.tools.offerings import PromptContext as PromptContext
    from bancada.tools.offerings import PromptMessage as PromptMessage
    from bancada.tools.pack import Dashboards as Dashboards
    from bancada.tools.pack import Datasets as Datasets
    from bancada.tools.pack import Jail as Jail
    from bancada.tools.pack import KeptFolders as KeptFolders
    from bancada.tools.pack import OrganisationTables as OrganisationTables
    from bancada.tools.pack import Pack as Pack
    from bancada.tools.pack import PackTable as PackTable
    from bancada.tools.pack import Services as Services
    from bancada.tools.pack import StudyShelf as StudyShelf
    from bancada.tools.pack import TableReading as TableReading
    from bancada.tools.pack import table_version as table_version
    from bancada.tools.tool import InnerCall as InnerCall
    from bancada.tools.tool import OutsideContent as OutsideContent
    from bancada.tools.tool import Result as Result
    from bancada.tools.tool import Tool as Tool
    from bancada.tools.tool import ToolContext as ToolContext
    from bancada.tools.tool import tool as tool
    from bancada.tools.validation import stands_for_nothing as stands_for_nothing

_NAMES = {
    "bancada.data.notes": "Note",
    "bancada.domain.agents": "Agent",
    "bancada.domain.calls": "Attachment BrokenRule Outcome Widget",
    "bancada.domain.errors": "BadDefinition Invalid NotFound ToolFailed misfit",
    "bancada.domain.intents": "Answered Intent Results Sentence Step plain",
    "bancada.domain.json": "JSON JSONObject",
    "bancada.domain.people": "Language Person",
    "bancada.domain.studies": "FrozenLimits KeptStudy",
    "bancada.domain.tables": "TableColumn TableShape",
    "bancada.server.dialects": "Administrator CurrentPerson Dialogue ProviderFailed Recorded documented may_upload pack_folder pack_jail pack_kept",
    "bancada.tools.inquiries": "Inquiry InquiryAnswer",
    "bancada.tools.offerings": "PackPrompt PackResource PromptArgument PromptContext PromptMessage",
    "bancada.tools.pack": "Dashboards Datasets Jail KeptFolders OrganisationTables Pack PackTable Services StudyShelf TableReading table_version",
    "bancada.tools.validation": "stands_for_nothing",
    "bancada.tools.tool": "InnerCall OutsideContent Result Tool ToolContext tool",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOMES)
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bancada' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
