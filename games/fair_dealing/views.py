"""The page that checks the deals of finished rounds in the reader's own browser."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.access import is_over, visible_match
from games.fair_dealing.texts import CHECKS
from games.records import exports, players
from games.records.views import uploaded
from games.spectators import delayed
from games.words import words_of
from infrastructure.bidi import isolate


@require_safe
@never_cache
def verify(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page. The browser checks the record that this viewer may download."""
    match = visible_match(request.user, slug)
    if not exports.known_to(request.user, match):
        raise Http404(_("The deals can be checked once a round is over."))
    people = delayed.current(match.pk, request.user.pk).table.people
    names = ", ".join(isolate(person.name) for person in people)
    files = {
        "json": reverse("match-record", args=[slug]),
        "txt": reverse("match-transcript", args=[slug]),
    }
    about = {"texts": exports.texts(match.pk), "is_over": is_over(request.user, match), "files": files}
    return verify_page(request, match.variant, names, about | {"address": reverse("match", args=[slug])})


@require_safe
@never_cache
def verify_upload(request: HttpRequest, name: str) -> HttpResponse:
    """Show the page for a record that this visitor uploaded."""
    match = uploaded(request, name)
    names = ", ".join(isolate(person.name) for person in players.people(match.start, match.players))
    files = {ending: reverse("review-imported-record", args=[name, ending]) for ending in ("json", "txt")}
    about = {"texts": exports.texts_of(match.start), "is_over": match.is_whole, "files": files}
    return verify_page(
        request, match.start.variant, names, about | {"address": reverse("review-imported", args=[name])}
    )


def verify_page(request: HttpRequest, variant: str, names: str, about: Mapping[str, object]) -> HttpResponse:
    """Show the page. ``about`` is the ``address`` of the match, its ``files`` by their endings, and what they tell:

    what its ``texts`` are (``exports.texts_of``), and whether it ``is_over``.
    """
    words = {name: str(text) for name, text in CHECKS.items()}
    return render(request, "review/verify.html", {"game": words_of(variant), "names": names, "words": words, **about})
