"""The sender of a request to the API: the account of its token, otherwise a visitor. Cookies do not count.

So a page of another site can do nothing in the name of its reader, and the API needs no CSRF tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from ninja.security.base import AuthBase

from accounts.models import ApiToken, User
from accounts.tokens.authentication import NoToken, authenticate, require_scope
from games.access import ANONYMOUS_VIEWER
from infrastructure.limits import limits

if TYPE_CHECKING:
    from games.access import Viewer


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request."""

    token: ApiToken | None

    @property
    def viewer(self) -> Viewer:
        return ANONYMOUS_VIEWER if self.token is None else self.token.user

    @property
    def user(self) -> User:
        """The account of the token. Raises NoToken."""
        if self.token is None:
            raise NoToken
        return self.token.user


class ApiRequest(HttpRequest):
    """A request after its authentication."""

    auth: Caller


class Token(AuthBase):
    """Requires a token with a scope. With ``optional``, requests without a token come from a visitor."""

    openapi_type = "http"
    openapi_scheme = "bearer"

    def __init__(self, scope: str, *, optional: bool = False) -> None:
        super().__init__()
        self.scope, self.optional = scope, optional

    def __call__(self, request: HttpRequest) -> Caller:
        token = authenticate(request.headers.get("Authorization", ""))
        if token is not None:
            require_scope(token, self.scope)
            limits.enforce("api", account=token.user_id)
        elif not self.optional:
            raise NoToken
        return Caller(token)


READ = Token(ApiToken.Scope.READ.value, optional=True)
# Adds to the document that an endpoint also serves visitors.
OPTIONAL_TOKEN: dict[str, Any] = {"security": [{}]}
