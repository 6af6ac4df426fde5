"""Worked examples for the rules pages, computed by the engine. Tests compare them with the rule files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any


@cache
def examples_of(variant: str) -> Mapping[str, Any]:
    """Return the examples of a variant by their names in its rules page."""
    module = f"{__name__}.{variant}"
    return import_module(module).EXAMPLES if find_spec(module) else {}
