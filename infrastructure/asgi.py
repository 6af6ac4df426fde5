"""Types of ASGI applications. Scopes and messages are open dictionaries, because middleware adds keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

Scope: TypeAlias = Any
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[Any]]
