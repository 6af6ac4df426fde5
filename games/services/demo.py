"""Matches between bots, one of each game, so that there is always something to watch."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.bots import plays
from games.engine.rules import Rules
from games.models import Match, Seat
from games.services import play, seating
from games.terms.presets import presets_of
from games.words import offered

MAX_FINISHED = 3  # of each game, without those that somebody visited


def keep_running() -> None:
    """Keep a match of bots running for each game that they can play."""
    for key, rules in offered().items():
        if plays(key):
            keep_one_running(rules)


@transaction.atomic
def keep_one_running(rules: Rules) -> None:
    """Start a match of bots if none is running; delete old finished ones that nobody visited."""
    if matches_of_bots(rules.key).filter(status=Match.Status.RUNNING).exists():
        return
    table = seating.lay_table(host=None, terms=presets_of(rules)[0].terms)
    seating.fill(seating.seats_of(table))
    play.start_match(match=table)
    finished = matches_of_bots(rules.key).filter(status=Match.Status.FINISHED, visited=False).order_by("-pk")
    Match.objects.filter(pk__in=list(finished.values_list("pk", flat=True)[MAX_FINISHED:])).delete()


def visit(match: Match) -> None:
    """Keep a match of bots that somebody looks at: its address may have been shared."""
    if match.host_id is None and not match.visited:
        Match.objects.filter(pk=match.pk, visited=False).update(visited=True)


def matches_of_bots(variant: str) -> QuerySet[Match]:
    """Return the matches of a variant that nobody opened and in which no person ever sat."""
    people = Seat.objects.filter(Q(user__isnull=False) | Q(bot=""), match=OuterRef("pk"))
    return Match.objects.filter(~Exists(people), host=None, variant=variant)
