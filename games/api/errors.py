"""The status, the code and the sentence of each error, alike in responses and on streams."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from types import MappingProxyType
from typing import Any, NamedTuple

from django.http import Http404

from accounts.tokens.authentication import InvalidToken, MissingScope, NoToken
from games.api import texts
from games.errors import Refused
from games.models import Match
from infrastructure.limits import LimitExceeded
from infrastructure.not_found import ExplainedNotFound

STATUS_BY_CODE = {
    "bad_request": HTTPStatus.BAD_REQUEST,
    "ended": HTTPStatus.UNAUTHORIZED,
    "not_seated": HTTPStatus.FORBIDDEN,
    "not_host": HTTPStatus.FORBIDDEN,
    "suspended": HTTPStatus.FORBIDDEN,
    "paused": HTTPStatus.FORBIDDEN,
    "tournament_host": HTTPStatus.FORBIDDEN,
    "needs_account": HTTPStatus.FORBIDDEN,
    "no_table": HTTPStatus.NOT_FOUND,
    "invalid": HTTPStatus.UNPROCESSABLE_ENTITY,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
    "failed": HTTPStatus.INTERNAL_SERVER_ERROR,
}
RETRY_SECONDS = 15.0  # after an outage
CHALLENGE: Mapping[str, str] = MappingProxyType({"WWW-Authenticate": "Bearer"})
NOTHING: Mapping[str, Any] = MappingProxyType({})


class ApiError(NamedTuple):
    """An error as programs get it. ``fields`` are added to the code and the text."""

    status: int
    code: str
    text: object
    fields: Mapping[str, Any] = NOTHING
    headers: Mapping[str, str] = NOTHING

    @property
    def data(self) -> dict[str, Any]:
        """The error in the active language."""
        return {"error": self.code, "text": str(self.text), **self.fields}


def api_error(error: Exception) -> ApiError:
    """Return what programs get for an exception. One that the API does not know is an outage."""
    match error:
        case Refused():
            status = STATUS_BY_CODE.get(error.code, HTTPStatus.CONFLICT)
            return ApiError(status, error.code, error.text, {"rule": error.rule} if error.rule else NOTHING)
        case NoToken():
            return ApiError(HTTPStatus.UNAUTHORIZED, "no_token", texts.NO_TOKEN, headers=CHALLENGE)
        case InvalidToken():
            return ApiError(HTTPStatus.UNAUTHORIZED, "invalid_token", texts.INVALID_TOKEN, headers=CHALLENGE)
        case MissingScope():
            return ApiError(HTTPStatus.FORBIDDEN, "missing_scope", texts.MISSING_SCOPE % {"scope": error.scope})
        case LimitExceeded():
            fields = {"limit": error.limit, "seconds": ceil(error.seconds)}
            status, text = HTTPStatus.TOO_MANY_REQUESTS, Refused("too_fast").text
            return ApiError(status, "too_many_requests", text, fields, retry_after(error.seconds))
        case Http404():
            reason = error if isinstance(error, ExplainedNotFound) else HTTPStatus.NOT_FOUND.phrase
            return ApiError(HTTPStatus.NOT_FOUND, "not_found", reason)
        case Match.DoesNotExist():
            return ApiError(HTTPStatus.NOT_FOUND, "not_found", Refused("no_table").text)
    refused = Refused("unavailable")
    return ApiError(HTTPStatus.SERVICE_UNAVAILABLE, refused.code, refused.text, headers=retry_after(RETRY_SECONDS))


def retry_after(seconds: float) -> dict[str, str]:
    return {"Retry-After": str(ceil(seconds))}
