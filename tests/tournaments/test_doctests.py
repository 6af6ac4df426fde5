"""The examples in the docstrings of tournaments hold."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import walk_packages

import games.tournaments.core

MODULES = [module.name for module in walk_packages(games.tournaments.core.__path__, "games.tournaments.core.")]


def test_doctests_pass() -> None:
    results = {name: doctest.testmod(import_module(name)) for name in MODULES}
    assert {name: result for name, result in results.items() if result.failed} == {}
    assert sum(result.attempted for result in results.values()) >= 12
