"""What people are told where they are: by e-mail, or in a chat room."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

NoticeKind: TypeAlias = Literal["approval", "decision", "turn", "alarm"]
"""A call waits for your word, yours was decided by somebody else, a turn of yours ended while you
were away, a schedule found what it was to look for."""
NOTICE_KINDS: tuple[NoticeKind, ...] = get_args(NoticeKind)

Channel: TypeAlias = Literal["email", "chat"]
