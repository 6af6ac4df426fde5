"""Clubs in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.words import Choice

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

ENTRIES: dict[str, Choice] = {
    "open": Choice(_("Anybody with an account may join"), ""),
    "asks": Choice(_("Leaders accept each new member"), ""),
}


def members_text(count: int) -> _StrPromise:
    return format_lazy(ngettext_lazy("{count} member", "{count} members", count), count=count)


def requests_text(count: int) -> _StrPromise:
    # Translators: in the list of your clubs: people who want to join and wait for an answer
    return format_lazy(ngettext_lazy("{count} asks to join", "{count} ask to join", count), count=count)
