"""Nothing is written for a visitor who only looks, or who presses what takes a name."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from tests.domino_site.test_public_answers import ARGUMENTS, addresses
from tests.games.lookbacks import played

pytestmark = pytest.mark.django_db
BUTTONS = ("play/", "tables/new/", "i18n/setlang/", *(f"match/{{slug}}/{act}/" for act in ("sit", "chat", "ready")))


def test_no_session_is_stored_for_a_visitor_who_looks_at_every_page_or_presses_a_button() -> None:
    match = played("kozel", 3)
    known = ARGUMENTS | {"slug": match.slug, "person_id": str(match.seats.get(index=0).user_id)}
    for address in sorted(addresses(known)):
        Client().get(f"/{address}")
        assert not Session.objects.exists(), address
    for address in BUTTONS:
        Client().post(f"/{address.format(slug=match.slug)}", {"nonce": "x" * 900, "language": "hu"})
        assert not Session.objects.exists(), address
