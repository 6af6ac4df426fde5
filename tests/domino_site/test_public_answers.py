"""What caches between the site and the browsers may keep belongs to nobody: no cookie goes out with it."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.http import HttpResponseBase
from django.test import Client
from django.urls import get_resolver

from accounts.models import User
from games.models import Match
from tests.games.reviewed import play_random_moves, stop_match

ARGUMENTS = {"variant": "kozel", "number": "1", "name": "verify_deal.zip", "uidb36": "1", "key": "none"}
LOGS_OUT = "accounts/logout/"


def addresses(arguments: dict[str, str]) -> set[str]:
    """Return the addresses of all the site's own pages, with these arguments."""
    patterns = get_resolver().reverse_dict
    possible = [pattern for name in patterns for pattern in patterns.getlist(name)]
    return {
        text % {name: arguments.get(name, "1") for name in names} for forms, *_ in possible for text, names in forms
    }


def answers(client: Client, match: Match, person_id: int) -> Iterator[tuple[str, HttpResponseBase]]:
    """Get every page as a person whose session has not been renewed today."""
    for address in sorted(addresses(ARGUMENTS | {"slug": match.slug, "person_id": str(person_id)}) - {LOGS_OUT}):
        yield address, fresh(client).get(f"/{address}")


def is_public(answer: HttpResponseBase) -> bool:
    """Return whether a shared cache may serve the response to another person."""
    header = answer.get("Cache-Control", "")
    return bool(header) and not any(word in header for word in ("private", "no-store", "max-age=0"))


def fresh(client: Client) -> Client:
    """Forget that the session was renewed today."""
    session = client.session
    if session.pop("renewed", None):
        session.save()
    return client


def test_cacheable_responses_have_no_cookie_name_or_token(client: Client) -> None:
    match = stop_match(play_random_moves("kozel", 3))
    reader = User.objects.create(username="reader", name="Reader-in-chief")
    client.force_login(reader)
    client.get("/")
    token = client.cookies[settings.CSRF_COOKIE_NAME].value
    by_address = dict(answers(client, match, reader.pk))
    public = {address: answer for address, answer in by_address.items() if is_public(answer)}
    assert [address for address, answer in public.items() if answer.cookies] == []
    assert f"match/{match.slug}/card.png" in public
    by_address["nowhere/"] = client.get("/nowhere/")
    for address, answer in by_address.items():
        header = answer.get("Cache-Control", "")
        if "no-store" not in header:
            assert "public" in header or "private" in header, address
            body = b"".join(answer)
            assert b"Reader-in-chief" not in body, address
            assert b"csrf" not in body, address
            assert token.encode() not in body, address


def test_the_session_is_renewed_by_the_first_private_page_of_the_day(client: Client) -> None:
    match = stop_match(play_random_moves("kozel", 3))
    client.force_login(match.seats.get(index=0).user)
    assert settings.SESSION_COOKIE_NAME in fresh(client).get("/rules/").cookies
    assert settings.SESSION_COOKIE_NAME not in client.get("/rules/").cookies


def test_preview_of_a_running_match_is_not_cached_publicly(client: Client) -> None:
    match = play_random_moves("kozel", 3)
    assert "public" not in client.get(f"/match/{match.slug}/card.png")["Cache-Control"]
