"""Where a form leads: to a page that is fetched anew."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpResponseRedirect
from django.shortcuts import resolve_url


def see_other(to: str, *arguments: Any) -> HttpResponseRedirect:
    """Answer a form with the page of this name, or at this address (303, so that it is not submitted again there)."""
    return HttpResponseRedirect(resolve_url(to, *arguments), status=HTTPStatus.SEE_OTHER)
