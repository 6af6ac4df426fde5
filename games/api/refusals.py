"""Refusals of the API: ``{error, text}``, a code for programs and a sentence. ``rule`` is that of a forbidden move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError

from accounts.tokens.authentication import InvalidToken, MissingScope, NoToken
from games.api import texts
from games.errors import Refused
from infrastructure.not_found import ExplainedNotFound

CONFLICT = 409
STATUS_BY_CODE = {
    "bad_request": 400,
    "not_seated": 403,
    "not_host": 403,
    "suspended": 403,
    "paused": 403,
    "no_table": 404,
    "unavailable": 503,
    "failed": 500,
}


class ErrorOut(Schema):
    """A refusal. ``error`` is a code that does not change, ``text`` a sentence in the language of the request."""

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


def refusal(status: int, code: str, text: object, **fields: Any) -> HttpResponse:
    return JsonResponse({"error": code, "text": str(text)} | fields, status=status)


def on_refused(_request: HttpRequest, refused: Refused) -> HttpResponse:
    fields = {"rule": refused.rule} if refused.rule else {}
    return refusal(STATUS_BY_CODE.get(refused.code, CONFLICT), refused.code, refused.text, **fields)


def on_invalid_token(_request: HttpRequest, _error: InvalidToken) -> HttpResponse:
    return with_challenge(refusal(401, "invalid_token", texts.INVALID_TOKEN))


def on_no_token(_request: HttpRequest, _error: NoToken) -> HttpResponse:
    return with_challenge(refusal(401, "no_token", texts.NO_TOKEN))


def with_challenge(response: HttpResponse) -> HttpResponse:
    response["WWW-Authenticate"] = "Bearer"
    return response


def on_missing_scope(_request: HttpRequest, error: MissingScope) -> HttpResponse:
    return refusal(403, "missing_scope", texts.MISSING_SCOPE % {"scope": error.scope})


def on_not_found(_request: HttpRequest, error: Http404) -> HttpResponse:
    return refusal(404, "not_found", error if isinstance(error, ExplainedNotFound) else "Not Found")


def on_invalid_input(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    faults = (f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors)
    return refusal(422, "invalid", "; ".join(faults))


def on_unreadable_body(_request: HttpRequest, _error: HttpError) -> HttpResponse:
    return refusal(400, "bad_request", Refused("bad_request").text)


def raise_again(_request: HttpRequest, error: Exception) -> HttpResponse:
    """Leave other errors to Django, whose responses become JSON in ``infrastructure.api_errors``."""
    raise error


HANDLERS: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
    Exception: raise_again,
    Refused: on_refused,
    InvalidToken: on_invalid_token,
    NoToken: on_no_token,
    MissingScope: on_missing_scope,
    Http404: on_not_found,
    ValidationError: on_invalid_input,
    HttpError: on_unreadable_body,
}


def register_handlers(api: NinjaAPI) -> None:
    for error, handler in HANDLERS.items():
        api.add_exception_handler(error, handler)
