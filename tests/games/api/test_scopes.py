"""Which token each endpoint and stream accepts: the table of docs/api.md, complete by the document of the API."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Sanction, User
from accounts.tokens.issuing import create_token, revoke_token
from games.models import Match
from tests.games import tables
from tests.games.api.stream_reader import read_stream
from tests.games.api.test_document import STREAMS, address, all_operations, api_document, example_body
from tests.games.socket_browser import in_thread

READ, PLAY, HOST = "read", "bot:play", "tournament:host"
# The required scope, and whether visitors without a token are served, too.
ENDPOINTS = {
    ("get", "/api/match/{slug}"): (READ, True),
    ("get", "/api/match/{slug}/record"): (READ, True),
    ("get", "/api/tables"): (READ, True),
    ("get", "/api/matches"): (READ, True),
    ("get", "/api/person/{person_id}"): (READ, True),
    ("get", "/api/person/{person_id}/matches"): (READ, True),
    ("get", "/api/leaderboard/{variant}"): (READ, True),
    ("get", "/api/leaderboard/{variant}/bots"): (READ, True),
    ("get", "/api/today"): (READ, True),
    ("get", "/api/open-data"): (READ, True),
    ("get", "/api/tournaments"): (READ, True),
    ("get", "/api/tournament/{slug}"): (READ, True),
    ("post", "/api/tournament/{slug}/enter"): (PLAY, False),
    ("post", "/api/tournament/{slug}/withdraw"): (PLAY, False),
    ("get", "/api/tournaments/own"): (HOST, False),
    ("post", "/api/tournaments"): (HOST, False),
    ("get", "/api/tournament/{slug}/entries"): (HOST, False),
    ("post", "/api/tournament/{slug}/accept"): (HOST, False),
    ("post", "/api/tournament/{slug}/remove"): (HOST, False),
    ("post", "/api/tournament/{slug}/cancel"): (HOST, False),
    ("get", "/api/bot/tables"): (PLAY, False),
    ("post", "/api/bot/tables"): (PLAY, False),
    ("post", "/api/match/{slug}/sit"): (PLAY, False),
    ("post", "/api/match/{slug}/stand"): (PLAY, False),
    ("post", "/api/match/{slug}/nonce"): (PLAY, False),
    ("post", "/api/match/{slug}/fill"): (PLAY, False),
    ("post", "/api/match/{slug}/start"): (PLAY, False),
    ("post", "/api/match/{slug}/ready"): (PLAY, False),
    ("post", "/api/match/{slug}/leave"): (PLAY, False),
    ("post", "/api/match/{slug}/move"): (PLAY, False),
    ("get", "/api/stream/events"): (PLAY, False),
    ("get", "/api/stream/match/{slug}"): (READ, False),
}
ALL_SCOPES = (READ, PLAY, HOST)
SERVED = "served"


def token_of_person(*scopes: str) -> str:
    return create_token(user=tables.person("Zoe"), name="test", scopes=scopes)


def token_of_bot(*scopes: str, **owner: Any) -> str:
    bot = tables.person("Goat [bot]", bot_owner=tables.person("Max", **owner))
    return create_token(user=bot, name="test", scopes=scopes)


def revoked_token() -> str:
    secret = token_of_bot(*ALL_SCOPES)
    token = ApiToken.objects.get()
    revoke_token(user=token.user, token_id=token.pk)
    return secret


def expired_token() -> str:
    secret = token_of_bot(*ALL_SCOPES)
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    return secret


def token_of_closed_account() -> str:
    secret = token_of_person(*ALL_SCOPES)
    User.objects.filter(name="Zoe").update(is_closed=True)
    return secret


def suspend(name: str) -> None:
    user, moderator = User.objects.get(name=name), tables.person("Mo")
    Sanction.objects.create(user=user, kind=Sanction.Kind.SUSPENSION, reason="spam", moderator=moderator)


def token_of_suspended_person() -> str:
    secret = token_of_person(READ)
    suspend("Zoe")
    return secret


def token_of_bot_of_suspended_owner() -> str:
    secret = token_of_bot(*ALL_SCOPES)
    suspend("Max")
    return secret


# For each sender its header, and the scopes that it has; None if its token is refused everywhere.
SENDERS: dict[str, tuple[Callable[[], str], frozenset[str] | None]] = {
    "visitor": (lambda: "", frozenset()),
    "person, read": (lambda: token_of_person(READ), frozenset({READ})),
    "person, tournament:host": (lambda: token_of_person(HOST), frozenset({HOST})),
    "suspended person, read": (token_of_suspended_person, frozenset({READ})),
    "bot, read": (lambda: token_of_bot(READ), frozenset({READ})),
    "bot, bot:play": (lambda: token_of_bot(PLAY), frozenset({PLAY})),
    "bot, all scopes": (lambda: token_of_bot(*ALL_SCOPES), frozenset(ALL_SCOPES)),
    "unknown token": (lambda: "dom_" + "x" * 43, None),
    "no token at all": (lambda: "x", None),
    "revoked token": (revoked_token, None),
    "expired token": (expired_token, None),
    "closed account": (token_of_closed_account, None),
    "bot of a closed account": (lambda: token_of_bot(*ALL_SCOPES, is_closed=True), None),
    "bot of a suspended owner": (token_of_bot_of_suspended_owner, None),
}
BY_SENDER = pytest.mark.parametrize(("secret", "scopes"), SENDERS.values(), ids=SENDERS)


def expected_answer(scope: str, is_public: bool, secret: str, scopes: frozenset[str] | None) -> tuple[int, str] | str:
    """Return the status and the code of the refusal, or SERVED."""
    if not secret:
        return SERVED if is_public else (401, "no_token")
    if scopes is None:
        return 401, "invalid_token"
    return SERVED if scope in scopes else (403, "missing_scope")


def answer(status: int, error: str) -> tuple[int, str] | str:
    """Return a refusal of the token, or SERVED whatever the endpoint did."""
    return (status, error) if error in ("no_token", "invalid_token", "missing_scope") else SERVED


@pytest.fixture
def match(people: list[User]) -> Match:
    return tables.running_table(people)


@pytest.mark.django_db
def test_table_has_every_endpoint_and_stream() -> None:
    assert {(method, path) for path, method, _operation in all_operations(api_document())} == ENDPOINTS.keys()


@BY_SENDER
def test_every_endpoint_accepts_its_tokens_only(
    client: Client, match: Match, secret: Callable[[], str], scopes: frozenset[str] | None
) -> None:
    document, text = api_document(), secret()
    headers = {"authorization": f"Bearer {text}"} if text else {}
    for (method, path), (scope, is_public) in ENDPOINTS.items():
        if path.startswith(STREAMS):
            continue
        body = json.dumps(example_body(document["paths"][path][method], document))
        options = {"data": body, "content_type": "application/json"} if method != "get" else {}
        response = getattr(client, method)(address(path, match), headers=headers, **options)
        error = response.json()["error"] if response.status_code in (401, 403) else ""
        assert answer(response.status_code, error) == expected_answer(scope, is_public, text, scopes), (method, path)


@pytest.mark.django_db(transaction=True)
@BY_SENDER
async def test_every_stream_accepts_its_tokens_only(
    match: Match, secret: Callable[[], str], scopes: frozenset[str] | None
) -> None:
    text = await in_thread(secret)()
    for (_method, path), (scope, is_public) in ENDPOINTS.items():
        if path.startswith(STREAMS):
            reader = await read_stream(path.format(slug=match.slug), text)
            error = (await reader.next_line()).get("error", "")
            assert answer(reader.status, error) == expected_answer(scope, is_public, text, scopes), path
            await reader.leave()
