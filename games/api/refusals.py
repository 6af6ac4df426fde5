"""Refusals of the endpoints: ``{error, text}``, a code for programs and a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError

from accounts.tokens.authentication import InvalidToken, MissingScope, NoToken
from games.api import texts
from games.api.errors import api_error
from games.errors import Refused


class ErrorOut(Schema):
    """A refusal. ``error`` is a code that does not change, ``text`` a sentence in the language of the request.

    ``rule`` is that of a forbidden move. ``limit`` is the one that was exceeded.
    """

    error: str
    text: str
    rule: str | None = None
    limit: str | None = None
    seconds: int | None = None


ERRORS: dict[Any, Any] = {
    400: ErrorOut,
    401: ErrorOut,
    403: ErrorOut,
    404: ErrorOut,
    409: ErrorOut,
    422: ErrorOut,
    429: ErrorOut,
    503: ErrorOut,
}


def respond(_request: HttpRequest, exception: Exception) -> HttpResponse:
    error = api_error(exception)
    return JsonResponse(error.data, status=error.status, headers=error.headers)


def on_invalid_input(request: HttpRequest, error: ValidationError) -> HttpResponse:
    return respond(request, Refused("invalid", "; ".join(map(_fault_text, error.errors))))


def _fault_text(fault: dict[str, Any]) -> str:
    """Return the place and the reason of a fault. The place of a body has the name of a Python argument, left out."""
    source, *names = map(str, fault["loc"])
    place = ".".join([source, *(names[1:] if source == "body" else names)])
    return f"{place}: {fault['msg'].removeprefix('Value error, ')}"


def on_unreadable_body(request: HttpRequest, _error: HttpError) -> HttpResponse:
    return respond(request, Refused("bad_request", texts.BODY_IS_NO_JSON))


def raise_again(_request: HttpRequest, error: Exception) -> HttpResponse:
    """Leave other errors to Django, whose responses become JSON in ``infrastructure.api_errors``."""
    raise error


HANDLERS: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
    Exception: raise_again,
    **dict.fromkeys((Refused, InvalidToken, NoToken, MissingScope, Http404), respond),
    ValidationError: on_invalid_input,
    HttpError: on_unreadable_body,
}


def register_handlers(api: NinjaAPI) -> None:
    for error, handler in HANDLERS.items():
        api.add_exception_handler(error, handler)
