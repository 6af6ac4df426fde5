"""The folder for everything that the site writes. It contains secrets, so only its owner can read it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

OTHERS_PERMISSIONS = 0o077  # the permissions of others, as in ``umask``
SECRET_FILES = ("dominoes.sqlite3*", "secret_key", "vapid_key")


def prepare_folder(folder: Path) -> None:
    """Create the folder if needed, and remove permissions of other users that files may have from earlier starts.

    Raises ImproperlyConfigured.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"The site cannot write to VAR_DIR: {error}.") from error
    for path in (path for pattern in SECRET_FILES for path in folder.glob(pattern)):
        with suppress(OSError):  # deleted meanwhile, or owned by another user
            if path.stat().st_mode & OTHERS_PERMISSIONS:
                path.chmod(0o600)


def development_key(folder: Path, name: str = "secret_key", new: Callable[[], str] = get_random_secret_key) -> str:
    """Return the key stored in the folder. The first process that needs it creates it."""
    path = folder / name
    try:
        if not path.exists():
            create_key_file(path, new())
        return path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(f"The site cannot keep its key in VAR_DIR: {error}.") from error


def create_key_file(path: Path, key: str) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.touch(mode=0o600)
    temporary.write_text(key)
    with suppress(FileExistsError):
        os.link(temporary, path)
    temporary.unlink()
