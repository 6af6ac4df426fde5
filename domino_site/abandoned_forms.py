"""Forms whose browser closes the connection, as it does when a button is pressed a second time."""

from __future__ import annotations

import asyncio
from typing import Any

from infrastructure.asgi import Application, Message, Receive, Scope, Send


class ProcessAbandonedForms:
    """Process a form that has arrived to its end, with or without its browser.

    Django would cancel it in the middle: after the view has created something, and before the answer is stored that
    the second press is to get (``infrastructure.idempotency``).
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        if scope["method"] != "POST":
            return await self.application(scope, receive, send)
        is_complete = False

        async def receive_form() -> Message:
            nonlocal is_complete
            if is_complete:
                await asyncio.Future()  # until the application, which is done, cancels it
            message: Message = await receive()
            is_complete = message["type"] == "http.request" and not message.get("more_body", False)
            return message

        return await self.application(scope, receive_form, send)
