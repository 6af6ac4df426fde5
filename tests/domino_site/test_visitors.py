"""Nothing is written for a visitor who looks at a page, or who sends it a form that asks for no seat."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from tests.domino_site.test_public_answers import ARGUMENTS, addresses
from tests.games.reviewed import play_random_moves

FORM = {"nonce": "x" * 900, "language": "hu", "theme": "dark"}


SEATING_FORMS = ("match-sit", "tournament-enter")  # a form makes a guest of a visitor


def test_visitors_never_get_a_session() -> None:
    match = play_random_moves("kozel", 3)
    arguments = ARGUMENTS | {"slug": match.slug, "person_id": str(match.seats.get(index=0).user_id)}
    forms = (
        reverse("quick-play"),
        reverse("table-new"),
        reverse("daily-play", args=[match.variant]),
        *(reverse(name, args=[match.slug]) for name in SEATING_FORMS),
    )
    seating = {form[1:] for form in forms}
    for address in sorted(addresses(arguments)):
        answers = Client().get(f"/{address}"), Client().post(f"/{address}", FORM)
        assert 429 not in [answer.status_code for answer in answers], address
        assert Session.objects.exists() == (address in seating), address
        Session.objects.all().delete()
