"""Addresses of pages, escaped for attributes."""

from __future__ import annotations

from functools import cache

from django.utils import translation

from games.html import Html, escape
from games.links import path_to


def page_address(page: str, *arguments: object) -> Html:
    """Return the path of a page by its name. Raises NoReverseMatch."""
    return escape(path_to(page, *arguments))


@cache
def lobby_address(language: str) -> Html:
    with translation.override(language):
        return page_address("lobby")


@cache
def daily_address(language: str, variant: str, date: str = "") -> Html:
    """Return the path of the daily boards of a game today, or on a date."""
    with translation.override(language):
        return page_address("daily-day", variant, date) if date else page_address("daily-game", variant)


def person_address(user_id: int) -> Html:
    """Return the address of a person's page."""
    before, behind = _person_address_parts()
    return Html(f"{before}{user_id}{behind}")


@cache
def _person_address_parts() -> tuple[Html, Html]:
    """Return the parts of the address of a person's page around the id. Cached: a list has a hundred addresses."""
    before, _number, behind = page_address("person", 0).rpartition("0")
    return escape(before), escape(behind)
