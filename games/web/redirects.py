"""Redirects after forms."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpResponseRedirect
from django.shortcuts import resolve_url


def see_other(to: str, *arguments: Any) -> HttpResponseRedirect:
    """Redirect to the page of this name or address with 303, so that the browser fetches it with GET."""
    return HttpResponseRedirect(resolve_url(to, *arguments), status=HTTPStatus.SEE_OTHER)
