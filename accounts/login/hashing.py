"""Password hashing with limited concurrency, since each hash takes 19 MiB.

It has its own threads, because the C library keeps the memory of a hash for each thread that ever computed one.
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
NICENESS = 10


def lower_thread_priority() -> None:
    """Lower the priority of this thread, so that moves come first. Only Linux supports that."""
    if sys.platform == "linux":
        thread = get_native_id()
        with suppress(OSError):  # a sandbox may forbid it
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICENESS)


hashing_pool = ThreadPoolExecutor(
    settings.PASSWORDS_AT_ONCE, thread_name_prefix="passwords", initializer=lower_thread_priority
)


class HashingBusy(Exception):
    """Too many passwords are being hashed, and this one timed out in the queue."""


class Argon2Hasher(hashers.Argon2PasswordHasher):
    """Argon2id with OWASP's parameters. Encoding and verifying wait in a queue, and raise HashingBusy on a timeout."""

    memory_cost = 19_456  # KiB
    time_cost = 2
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        return _hash_in_pool(super().encode, password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        return _hash_in_pool(super().verify, password, encoded)


def upgrade_hash(user: User, password: str) -> None:
    """Hash the password again if its hash has outdated parameters."""
    current = hashers.get_hasher()
    if hashers.identify_hasher(user.password).algorithm != current.algorithm or current.must_update(user.password):
        user.password = hashers.make_password(password)
        # ``update`` skips the signals of a changed password, which would end sessions.
        User.objects.filter(pk=user.pk).update(password=user.password)


def _hash_in_pool(work: Callable[..., Result], *arguments: str) -> Result:
    future = hashing_pool.submit(work, *arguments)
    try:
        return future.result(settings.PASSWORD_WAIT_SECONDS)
    except TimeoutError:
        if future.cancel():
            raise HashingBusy from None
        return future.result()
