"""The variants, one module each: every rule that only one game has. The file name is its key."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from games.engine.rules import Rules


class UnknownVariant(LookupError):
    """There is no variant of that key."""


@cache
def registry() -> Mapping[str, Rules]:
    """Return every variant by its key. Each module offers its rules as ``RULES``."""
    names = sorted(module.name for module in iter_modules(__path__))
    return MappingProxyType({name: import_module(f"{__name__}.{name}").RULES for name in names})


def rules_for(key: str) -> Rules:
    """Return the rules of a variant. Raises ``UnknownVariant``."""
    try:
        return registry()[key]
    except KeyError:
        raise UnknownVariant(key) from None
