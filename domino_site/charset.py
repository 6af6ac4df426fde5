"""The charset that a request says it is in: every page of the site sends UTF-8, and only that is read."""

from __future__ import annotations

import re
from typing import Any

from infrastructure.asgi import Application, Receive, Scope, Send

CHARSET = re.compile(rb";\s*charset[*\d]*\s*=[^;]*", re.IGNORECASE)


class Utf8Only:
    """Pass requests on without a charset: Django would take any codec for one, and fail while it draws the error."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        headers = [
            (name, CHARSET.sub(b"", value) if name == b"content-type" else value) for name, value in scope["headers"]
        ]
        return await self.application(scope | {"headers": headers}, receive, send)
