"""The variants, one module each, named by their keys."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from games.engine.rules import Rules


class UnknownVariant(LookupError):
    """No variant has this key."""


@cache
def registry() -> Mapping[str, Rules]:
    """Return the ``RULES`` of every module by key."""
    names = sorted(module.name for module in iter_modules(__path__))
    return MappingProxyType({name: import_module(f"{__name__}.{name}").RULES for name in names})


def rules_for(key: str) -> Rules:
    """Return the rules of a variant. Raises ``UnknownVariant``."""
    try:
        return registry()[key]
    except KeyError:
        raise UnknownVariant(key) from None
