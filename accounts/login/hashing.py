"""Hashing of passwords, a few at a time: each takes 19 MiB, and a class that logs in together must not take it all.

It happens in threads of its own: the C library would keep the memory of one hashing for each thread that ever hashed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import get_native_id
from typing import TypeVar

from django.conf import settings
from django.contrib.auth import hashers

from accounts.models import User

Result = TypeVar("Result")
NICE = 10


def lower_priority() -> None:
    """Lower the priority of this thread, so that moves come first. Only Linux can do so for a thread."""
    if sys.platform == "linux":
        thread = get_native_id()
        with suppress(OSError):  # a sandbox may forbid it
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICE)


pool = ThreadPoolExecutor(settings.PASSWORDS_AT_ONCE, thread_name_prefix="passwords", initializer=lower_priority)


class HashingBusy(Exception):
    """Too many passwords are being hashed, and this one did not get its turn in time."""


class Argon2Hasher(hashers.Argon2PasswordHasher):
    """Argon2id as OWASP advises it. Encoding and verifying wait for a turn, and raise HashingBusy after too long."""

    memory_cost = 19_456  # KiB
    time_cost = 2
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        return _in_turn(super().encode, password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        return _in_turn(super().verify, password, encoded)


def upgrade(user: User, password: str) -> None:
    """Hash the password again if its hash is not as it would be made today."""
    today = hashers.get_hasher()
    if hashers.identify_hasher(user.password).algorithm != today.algorithm or today.must_update(user.password):
        user.password = hashers.make_password(password)
        # The password itself is the same: nobody is told of a new one.
        User.objects.filter(pk=user.pk).update(password=user.password)


def _in_turn(work: Callable[..., Result], *arguments: str) -> Result:
    waiting = pool.submit(work, *arguments)
    try:
        return waiting.result(settings.PASSWORD_WAIT_SECONDS)
    except TimeoutError:
        if waiting.cancel():
            raise HashingBusy from None
        return waiting.result()
