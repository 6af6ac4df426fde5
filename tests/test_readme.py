"""The list of packages in the README."""

from __future__ import annotations

from scripts.package_list import DOCUMENT, package_purposes, with_current_list


def test_every_package_says_in_a_line_what_it_is_for() -> None:
    assert [folder for folder, line in package_purposes().items() if not line] == []


def test_list_of_packages_is_current() -> None:
    """``python scripts/package_list.py`` writes it."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_current_list(text) == text
