"""The page on which everybody can check the deals of a match that is over, in their own browser."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games import selectors
from games.access import is_over, visible_match
from games.words import words_of

WORDS = {
    "busy": _("Dealing every round again…"),
    "fair": _("All deals are the ones the site committed to. Deals checked: %s."),
    "unfair": _("Something differs. Checks that do not hold: %s."),
    "unchecked": _("Not everything has been revealed. Try again when the match is over."),
    "unreadable": _("This is no record of a match in a format known here."),
    "no_crypto": _("This browser does not reckon fingerprints on this connection. Use https, or the program below."),
    "ok": _("holds"),
    "differs": _("differs"),
    "own_holds": _("Your own text and the fingerprint you were shown are in it."),
    "own_unopened": _(
        "The fingerprint of your text is in it. The text itself did not arrive in time: it was dealt without."
    ),
    "own_late": _("Your text did not reach the site before the match started: it was dealt without."),
    "own_unknown": _("This browser remembers nothing of this match."),
    "own_secret": _("This browser was shown another fingerprint of the site’s secret when it drew its text."),
    "own_missing": _("The site took the fingerprint of your text, but it is not in this record."),
    "own_others": _("The players’ fingerprints are not those that this browser was shown before it opened its text."),
    "whole": _("The match as a whole"),
    "deal": _("Round %s"),
    "deal_again": _("Round %s, dealt again (attempt %s)"),
    "numbers": _("The events are not numbered one by one: some are missing or doubled."),
    "set": _("The list of tiles is not a whole set in rising order."),
    "order": _("Another deal was due here: one is missing or doubled."),
    "secret": _("The secret is not the one committed to before the match."),
    "secret_missing": _("The secret of the match is missing."),
    "key": _("The key is not the one committed to with the deal."),
    "key_of_round": _("Round %s: the key does not come from the secret."),
    "key_missing": _("The key of the round is missing."),
    "lot": _("The lot fell on another seat."),
    "tile": _("Tile %s: %s instead of %s."),
    "shuffle": _("Another shuffle altogether: %s of %s tiles differ."),
    "drawn": _("Event %s: %s was not the next to draw."),
    "played": _("Event %s: %s was not in the hand of the seat."),
}
"""What the page says; each ``%s`` takes the next figure."""


@require_safe
def verify(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page of a match that is over; its record is what the browser checks."""
    match = visible_match(request.user, slug)
    if not is_over(request.user, match) or not match.version:
        raise Http404(_("The deals can be checked when the match is over."))
    names = ", ".join(person.name for person in selectors.table(match.pk).people)
    words = {name: str(text) for name, text in WORDS.items()}
    context = {"match": match, "game": words_of(match.variant), "names": names, "words": words}
    return render(request, "review/verify.html", context)
