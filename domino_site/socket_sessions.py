"""The session of a socket: that of its page."""

from __future__ import annotations

from typing import Any

from channels.sessions import InstanceSessionWrapper, SessionMiddleware

from domino_site.denial import deny
from infrastructure.asgi import Application, Receive, Scope, Send


class SocketSessions(SessionMiddleware):
    """Channels' sessions for sockets, which set no cookies: so nothing looks for changes before every frame."""

    inner: Application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        # As on pages (``null_characters``): PostgreSQL would fail to look for such a session.
        if any("\0" in cookie for cookie in scope["cookies"].values()):
            return await deny(scope, receive, send)
        wrapper = InstanceSessionWrapper(scope, send)
        await wrapper.resolve_session()
        return await self.inner(wrapper.scope, receive, send)
