"""Running untrusted code: the jail, its containers, and the journal that outlives them."""

from bancada.sandbox.container import Container
from bancada.sandbox.jail import Sandbox
from bancada.sandbox.journal import Diverged, Entry, JournalAnswer, JournalAsk, Replay
from bancada.sandbox.sandbox import (
    CallTool,
    CodeAnswer,
    CodeCall,
    CodeResult,
    ContainerEnded,
    ContainerInfo,
    EndCode,
    EvaluationFailed,
    EvaluationTimedOut,
    Function,
    Limits,
    NoSandbox,
    OutputFile,
    ReadOnlyFile,
    SandboxError,
    TierReport,
    TooManyContainers,
)
from bancada.sandbox.tiers import kernel_memory, probe, start_sandbox

__all__ = [
    "CallTool",
    "CodeAnswer",
    "CodeCall",
    "CodeResult",
    "Container",
    "ContainerEnded",
    "ContainerInfo",
    "Diverged",
    "EndCode",
    "Entry",
    "EvaluationFailed",
    "EvaluationTimedOut",
    "Function",
    "JournalAnswer",
    "JournalAsk",
    "Limits",
    "NoSandbox",
    "OutputFile",
    "ReadOnlyFile",
    "Replay",
    "Sandbox",
    "SandboxError",
    "TierReport",
    "TooManyContainers",
    "kernel_memory",
    "probe",
    "start_sandbox",
]
