"""Texts about fair dealing: at the table, and on the page that checks deals in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from games.words import Text

FAIR_DEALING_TEXTS: dict[str, Text] = {
    "commitment": _("The site’s secret, sealed (SHA-256)"),
    "parts": _("The players’ texts for the shuffle"),
    "part_missing": _("%(name)s: nothing yet"),
    "part_sealed": _("%(name)s: sealed, fingerprint %(sealed)s"),
    "part_opened": _("%(name)s: %(text)s, as sealed before the start"),
    "part_unsealed": _("%(name)s: %(text)s"),
    "part_unopened": _("%(name)s: sealed, but not opened in time and so left out"),
    "part_none": _("%(name)s: none"),
    "part_of_bot": _("%(name)s: a bot, without a text"),
    "round_commitment": _("This round’s key, sealed (SHA-256)"),
    "round_key": _("This round’s key, revealed when the round is over"),
    "secret": _("The secret of this match, revealed when the match is over"),
    "proof": _("The secret and the keys of all deals, for anybody to check"),
}

# Texts of the script that checks deals. The values replace ``%s`` one by one.
CHECK_TEXTS: dict[str, Text] = {
    "busy": _("Repeating every deal…"),
    "fair": _("All deals follow from the site’s secret and the players’ texts. Deals checked: %s."),
    "unfair": _("This record does not match. Failed checks: %s."),
    "unchecked": _("Everything published so far is correct, but not everything was revealed. Deals checked: %s."),
    "running": _(
        "Everything published so far is correct. The match is not over: its other deals can be checked later. "
        "Deals checked: %s."
    ),
    "givers": _("The texts of these seats are in the deals: %s."),
    "limited": _(
        "All deals follow from the secret and the texts in the record (deals checked: %s), but this does not "
        "prove that the site could not choose them. See the notes on the whole match."
    ),
    "unreadable": _("This is not a record of a match in a known format."),
    "refused": "%s",
    "no_events": _("This is not a record of a match: it has no events."),
    "no_start": _("This is not a record of a match: it does not begin with the start of a match."),
    "too_long": _("This is too long for a match."),
    "unknown_kind": _("This is not a record of a match that this page knows: event %s is of an unknown kind."),
    "bad_field": _("This is not a record of a match: in event %s the field “%s” is missing or cannot be read."),
    "unknown_game": _("This page does not know the rules of this game."),
    "other_rules": _("The match was played under another version of the rules; this page knows versions up to %s."),
    "unknown_seats": _("This game does not allow this number of players."),
    "unknown_options": _("This page does not know the options of this match, or some are missing."),
    "no_crypto": _("This browser cannot compute fingerprints on this connection. Use https, or the program below."),
    "ok": _("correct"),
    "differs": _("differs"),
    "own_listed": _("The list contains your own text, and this browser was shown the same fingerprint of the secret."),
    "own_not_listed": _(
        "The list does not contain this browser’s text. "
        "It counts only if you sent it with your first board of the day before."
    ),
    "own_unknown_day": _("This browser remembers no text of yours for these boards, so there is nothing to compare."),
    "own_holds": _("The record contains your own text and the fingerprint you were shown."),
    "own_unopened": _(
        "The record contains the fingerprint of your text. The text itself did not arrive in time and was left out."
    ),
    "own_late": _("Your text did not reach the site before the match started, so it was left out."),
    "own_unknown": _("This browser remembers no text of yours for this match, so there is nothing to compare."),
    "own_secret": _("This browser was shown a different fingerprint of the site’s secret when it picked its text."),
    "own_missing": _("The site accepted the fingerprint of your text, but this record does not contain it."),
    "own_others": _("The players’ fingerprints are not the ones this browser was shown before it opened its text."),
    "whole": _("Secret and moves"),
    "deal": _("Round %s"),
    "deal_again": _("Round %s, dealt again (attempt %s)"),
    "numbers": _("The events are not numbered one by one: some are missing or repeated."),
    "set": _("The list of tiles is not the full set of the game in ascending order."),
    "other_name": _("The header of the record and its first event do not agree: %s."),
    "order": _("Event %s is in the wrong place: something is missing, repeated or out of order."),
    "not_over": _("The match is not over. These are the rounds finished so far."),
    "nothing_dealt": _("Nothing was dealt."),
    "secret": _("The secret is not the one that was sealed before the match."),
    "secret_missing": _("The secret of the match is missing."),
    "key_twice": _("Round %s has a different key than expected, or more than one."),
    "key_of_round": _("Round %s: the key does not follow from the secret."),
    "key": _("The key does not match the commitment of the deal."),
    "key_missing": _("The key of the round is missing."),
    "nonce_count": _("There is not exactly one text for each seat."),
    "promise_count": _("There is not exactly one fingerprint of a text for each seat."),
    "bots_alone": _("The record says which seats were bots, but not which texts had been sealed."),
    "bot_seats": _("The list of the bots’ seats cannot be right."),
    "bot_nonce": _("The bot in seat %s has a text, which the site could have chosen."),
    "nonce": _("The text of seat %s is not the one that had been sealed."),
    "promise": _("The fingerprint of the text of seat %s is not a valid fingerprint."),
    "not_opened": _("The text of seat %s was sealed, but not opened in time and so left out."),
    "board": _("All tables got this deal, number %s of the set “%s”."),
    "board_fields": _("The number in the set or the fingerprint of the players’ texts is damaged or out of place."),
    "board_nonces": _("A deal of a set must not depend on texts of its own players."),
    "day_field": _("This is no proof of daily boards: the field “%s” is missing or cannot be read."),
    "day_open": _("The boards are not closed yet. The secret and the players’ texts come later."),
    "day_secret": _("The secret is not the one that was sealed a day before."),
    "day_entropy": _("The fingerprint in the deals is not that of the listed texts."),
    "day_sets": _("The number or the names of the sets are wrong."),
    "other_day": _("This record is not of these boards."),
    "not_played": _("Nobody played board %s."),
    "deal_of_board": _("Board %s"),
    "no_commitments": _(
        "The record has no fingerprints of the players’ texts. The site may have known a text when it drew its secret."
    ),
    "no_nonces": _("The record contains no player’s text: the site alone decided the deals."),
    "due": _("A different deal was expected here: round %s, attempt %s."),
    "sizes": _("The hands or the boneyard do not have the size that the rules require."),
    "not_void": _("This deal was declared void, but no rule makes it void."),
    "void": _("This deal was void under the rules, but it was played."),
    "lots": _("The random choice was not made among the seats that the rules name, or not made at all."),
    "lead": _("Under the rules seat %s leads, not seat %s."),
    "lead_tiles": _("The tiles that may be led are not those that the rules name."),
    "next_lead": _("Event %s: a different seat leads the next round."),
    "not_ended": _("Event %s: the round was not over."),
    "other_round": _("Event %s: a different round was being played."),
    "tile": _("Tile %s: %s instead of %s."),
    "shuffle": _("A completely different shuffle: %s of %s tiles differ."),
    "turn": _("Event %s: it was not the turn of seat %s."),
    "next_turn": _("Event %s: a different seat has the next turn."),
    "drawn": _("Event %s: %s was not the next tile to draw."),
    "draws": _("Event %s: no more tiles could be drawn in this turn."),
    "led": _("Event %s: %s could not be led."),
    "played": _("Event %s: %s was not in that seat’s hand."),
    "passed": _("Event %s: a pass, although there was a tile to draw."),
}
