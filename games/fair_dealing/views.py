"""The page that checks the deals of finished rounds in the browser."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.access import is_over_for, visible_match
from games.fair_dealing.texts import CHECK_TEXTS
from games.match.table import Person
from games.records import exports, players
from games.records.views import find_upload
from games.spectators import delayed
from games.words import words_of
from infrastructure.bidi import isolate
from infrastructure.not_found import ExplainedNotFound


@require_safe
def verify_match(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page for a match. The browser checks the record that this viewer may download."""
    match = visible_match(request.user, slug)
    if not exports.downloadable_version(request.user, match):
        raise ExplainedNotFound(_("The deals can be checked once a round is over."))
    context = {
        "nonce_kind": exports.nonce_kind_of_match(match.pk),
        "is_over": is_over_for(request.user, match) and exports.is_secret_public(match.pk),
        "address": reverse("match", args=[slug]),
        "files": {"json": reverse("match-record", args=[slug]), "txt": reverse("match-transcript", args=[slug])},
    }
    people = delayed.snapshot_for(match.pk, request.user.pk).table.people
    return _verify_page(request, match.variant, people, context)


@require_safe
def verify_upload(request: HttpRequest, name: str) -> HttpResponse:
    """Show the page for a record that this visitor uploaded."""
    match = find_upload(request, name)
    context = {
        "nonce_kind": exports.nonce_kind(match.start_event),
        "is_over": match.is_complete,
        "address": reverse("review-imported", args=[name]),
        "files": {
            extension: reverse("review-imported-record", args=[name, extension]) for extension in ("json", "txt")
        },
    }
    start = match.start_event
    return _verify_page(request, start.variant, players.people_of_record(start, match.players), context)


def _verify_page(
    request: HttpRequest, variant: str, people: Iterable[Person], context: dict[str, object]
) -> HttpResponse:
    context |= {
        "game": words_of(variant),
        "names": ", ".join(isolate(person.name) for person in people),
        "words": {name: str(text) for name, text in CHECK_TEXTS.items()},
    }
    return render(request, "review/check_deals.html", context)
