"""A socket of a table that keeps what it was sent."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import count
from typing import cast

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.presence.people import Attendee, People
from games.sockets.base import Socket

NUMBERS = count()


@dataclass(eq=False)
class Window:
    """Without a ``user`` it is a visitor's, each with a browser of their own."""

    user: User | AnonymousUser = field(default_factory=AnonymousUser)
    seated: bool = False
    browser: tuple[str, str] = field(default_factory=lambda: ("192.0.2.1", str(next(NUMBERS))))
    language: str = "en"
    shown_spectators: People | None = None
    spectators_task: asyncio.Task[None] | None = None
    frames: list[str] = field(default_factory=list)

    @property
    def user_id(self) -> int | None:
        return self.user.pk

    @property
    def attendee(self) -> Attendee:
        return Socket.as_attendee(cast(Socket, self))

    async def send(self, text_data: str) -> None:
        self.frames.append(text_data)


def person(number: int, name: str) -> User:
    return User(pk=number, name=name)
