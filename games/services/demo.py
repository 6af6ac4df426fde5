"""Matches between bots, one of each game, so that there is always something to watch."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.bots import has_bot_for_variant
from games.engine.rules import Rules
from games.models import Match, Seat
from games.services import play, seating
from games.site_switches import current_switches
from games.terms.presets import presets_of
from games.words import offered_variants

MAX_FINISHED_PER_GAME = 3  # matches between bots that nobody visited


def ensure_bot_matches() -> None:
    """Start a match between bots in each game that they can play, if none is running and matches may start."""
    if current_switches().matches_paused:
        return
    for key, rules in offered_variants().items():
        if has_bot_for_variant(key):
            ensure_bot_match(rules)


@transaction.atomic
def ensure_bot_match(rules: Rules) -> None:
    """Start a match between bots if none is running; delete old finished ones that nobody visited."""
    of_game = exhibitions().filter(variant=rules.key)
    if of_game.filter(status=Match.Status.RUNNING).exists():
        return
    table = seating.create_table(host=None, terms=presets_of(rules)[0].terms)
    seating.fill_with_bots(seating.seats_of(table))
    play.start_match(match=table)
    finished = of_game.filter(status=Match.Status.FINISHED, visited=False).order_by("-pk")
    Match.objects.filter(pk__in=list(finished.values_list("pk", flat=True)[MAX_FINISHED_PER_GAME:])).delete()


def mark_visited(match: Match) -> None:
    """Keep a match between bots that somebody has opened for a month: its address may have been shared."""
    if match.host_id is None and not match.visited:
        Match.objects.filter(pk=match.pk, visited=False).update(visited=True)


def exhibitions() -> QuerySet[Match]:
    """Return the matches without a host in which no person ever sat."""
    people = Seat.objects.filter(Q(user__isnull=False) | Q(bot=""), match=OuterRef("pk"))
    return Match.objects.filter(~Exists(people), host=None)
