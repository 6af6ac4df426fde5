"""Layout families are found by scanning for their modules; there is no list of them."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def take_up(package: str, path: Iterable[str], *hooks: Any) -> None:
    """Register what the modules of a package define by the names of the hooks.

    A hook is a ``singledispatch`` function. The annotation of its first parameter says which family it is for.
    """
    for found in iter_modules(path):
        module = import_module(f"{package}.{found.name}")
        for hook in hooks:
            own = getattr(module, hook.__name__, None)
            if own is not None and own.__module__ == module.__name__:
                hook.register(own)
