"""The page on which everybody can check the deals of the rounds that are over, in their own browser."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.access import is_over, visible_match
from games.records import exports
from games.spectators import delayed
from games.words import words_of

WORDS = {
    "busy": _("Dealing every round again…"),
    "fair": _("All deals are the ones that the site’s secret and the players’ texts make. Deals checked: %s."),
    "unfair": _("Something differs. Checks that do not hold: %s."),
    "unchecked": _(
        "What is there holds, but the match is not over, or not everything was revealed. Deals checked: %s."
    ),
    "limited": _(
        "All deals follow from the secret and the texts in the record (%s of them). "
        "But it does not show that the site could not choose; see what is said of the whole match."
    ),
    "unreadable": _("This is no record of a match in a format known here."),
    "no_events": _("This is no record of a match: there are no events in it."),
    "no_start": _("This is no record of a match: it does not begin with a start."),
    "too_long": _("This is longer than any match."),
    "unknown_kind": _("This is no record of a match known here: event %s is of an unknown kind."),
    "bad_field": _("This is no record of a match: in event %s the field “%s” is missing or cannot be read."),
    "unknown_game": _("This page does not know the rules of this game."),
    "other_rules": _("The match was played under other rules; this page knows version %s alone."),
    "unknown_seats": _("This game is not played by so many."),
    "unknown_options": _("This page does not know the options of this match, or some are missing."),
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
    "set": _("The list of tiles is not the whole set of the game in rising order."),
    "other_name": _("The head of the record and its start do not agree: %s."),
    "order": _("Event %s cannot stand where it does: something is missing, doubled or out of order."),
    "not_over": _("The match is not over: this is what was finished of it."),
    "nothing_dealt": _("Nothing was dealt."),
    "secret": _("The secret is not the one committed to before the match."),
    "secret_missing": _("The secret of the match is missing."),
    "key_twice": _("Round %s has another key than the one that was due, or more than one."),
    "key_of_round": _("Round %s: the key does not come from the secret."),
    "key": _("The key is not the one committed to with the deal."),
    "key_missing": _("The key of the round is missing."),
    "nonce_count": _("There is not one text for each seat."),
    "promise_count": _("There is not one fingerprint of a text for each seat."),
    "bots_alone": _("The record says which seats were bots, but not which texts had been sealed."),
    "bot_seats": _("The seats of the bots cannot be right."),
    "bot_nonce": _("The bot of seat %s has a text, which the site could have chosen."),
    "nonce": _("The text of seat %s is not the one that had been sealed."),
    "promise": _("The fingerprint of the text of seat %s is none."),
    "not_opened": _("The text of seat %s was sealed, but not opened in time: it was dealt without."),
    "no_commitments": _(
        "This match is from before players sealed their texts. "
        "The site may have known the text of whoever opened the table when it drew its secret."
    ),
    "no_nonces": _("No player’s text is in it: the site alone drew what decides the deals."),
    "due": _("Another deal was due here: round %s, attempt %s."),
    "sizes": _("The hands or the boneyard are of another size than the rules say."),
    "not_void": _("This deal was called void, but no rule voids it."),
    "void": _("The rules void this deal, but it was played."),
    "lots": _("Lots were drawn among others than the rules say, or not at all."),
    "lead": _("Seat %s leads by the rules, not seat %s."),
    "lead_tiles": _("Other tiles may be led than the rules say."),
    "next_lead": _("Event %s: another seat leads the next round."),
    "not_ended": _("Event %s: the round had not come to its end."),
    "other_round": _("Event %s: another round had been played."),
    "tile": _("Tile %s: %s instead of %s."),
    "shuffle": _("Another shuffle altogether: %s of %s tiles differ."),
    "turn": _("Event %s: it was not the turn of seat %s."),
    "next_turn": _("Event %s: another seat has the next turn."),
    "drawn": _("Event %s: %s was not the next to draw."),
    "draws": _("Event %s: no more tiles may be drawn in this turn."),
    "led": _("Event %s: %s must not be led."),
    "played": _("Event %s: %s was not in the hand of the seat."),
    "passed": _("Event %s: passed, though there was a tile to draw."),
}
"""What the page says; each ``%s`` takes the next figure."""


@require_safe
@never_cache
def verify(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page of a match; its record, as far as this viewer may have it, is what the browser checks."""
    match = visible_match(request.user, slug)
    if not exports.known_to(request.user, match):
        raise Http404(_("The deals can be checked when a round is over."))
    people = delayed.current(match.pk, request.user.pk).table.people
    context = {
        "match": match,
        "game": words_of(match.variant),
        "names": ", ".join(person.name for person in people),
        "words": {name: str(text) for name, text in WORDS.items()},
        "is_over": is_over(request.user, match),
    }
    return render(request, "review/verify.html", context)
