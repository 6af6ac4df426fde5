"""Tables in every state, prepared for one person in seat 0.

Runs in the shell of a site (``Server.run_code``) without its clock, so that tables stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts import notices
from accounts.models import User
from games.engine.moves import Draw, Pass, Play
from games.engine.options import QUICK
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import rules_for
from games.lobby import tables as lobby_tables
from games.models import Match, MatchEvent, Message
from games.services import absence, play, rematch
from games.terms.terms import Terms
from games.words import offered_variants
from tests.engine.matches import last_choices
from tests.games import tables

LONG_ROUND_PLAYS = 22  # placements of a long round: rounds of every game exceed it, and few tiles remain
LATE_PLAYS = 12
VERY_LATE_PLAYS = 24  # with two players and 56 tiles, many of them drawn, as far along as LATE elsewhere
Condition = Callable[[State], bool]


@transaction.atomic
def prepare_tables() -> dict[str, Any]:
    """Return the addresses of tables by state and the sessions of people by name."""
    ann, pat = tables.person("Ann"), tables.person("Pat")
    for _number in range(2):
        notices.send("report_decided", {pat.pk: {"name": "Konstantinopolitanen", "verdict": "dismissed"}})
    matches = tables_of(ann) | {"notices": match_in_state([pat], has_a_choice, bots=3)}
    return {
        "tables": {state: f"/match/{match.slug}/" for state, match in matches.items()},
        "sessions": {user.name: log_in(user) for user in (ann, pat)},
    }


def prepare_suspension() -> dict[str, Any]:
    """Return a table's address, the sessions of Eve, who sits there, and of Root, and Eve's number."""
    eve, root = tables.person("Eve"), tables.person("Root", is_staff=True, is_superuser=True)
    table = f"/match/{match_in_state([eve]).slug}/"
    return {"tables": {"doomed": table}, "sessions": {user.name: log_in(user) for user in (eve, root)}, "eve": eve.pk}


def tables_of(ann: User) -> dict[str, Match]:
    """Prepare the states common to all games once, and the others for every game."""
    variant = next(iter(offered_variants()))
    matches = {
        "open": lobby_tables.open_table(host=ann, terms=Terms(variant, 4, visibility="link", rated=True)),
        "theirs": match_in_state(
            [ann],
            lambda state: state.round.to_move == 2 and len(state.round.plays) > 8,
            variant=variant,
            bots=3,
            clock="1-day",
        ),
        "draw": match_in_state(
            [ann], lambda state: state.round.to_move == 0 and legal_moves(state) == (Draw(),), variant=variant
        ),
        "knock": match_in_state(
            [ann], lambda state: state.round.to_move == 0 and legal_moves(state) == (Pass(),), bots=3
        ),
        "held": hold_seat(match_in_state([ann], lambda state: state.round.to_move == 1, variant=variant, bots=3)),
        "absent": with_absent_players(ann),
        "out": abandoned_table(ann),
        "remembered": match_in_state([ann], remembers_with_few_tiles, variant="kozel", bots=3),
        "watched": match_in_state([], lambda state: len(state.round.plays) > 10, variant=variant, bots=4),
    }
    for rules in offered_variants().values():
        matches |= {f"{rules.key} {state}": match for state, match in tables_of_game(ann, rules).items()}
    return matches


def tables_of_game(ann: User, rules: Rules) -> dict[str, Match]:
    """Prepare tables with a choice of moves, late in a round, between rounds and after the match."""
    seats = max(rules.seat_counts)
    terms: dict[str, Any] = {"variant": rules.key, "bots": seats - 1, "options": last_choices(rules, seats)}
    rated = {**terms, "bots": seats - 2, "rated": True}
    return {
        "mine": match_in_state([ann], has_a_choice, **terms),
        "long": match_in_state(
            [ann], lambda state: state.round.to_move == 0 and len(state.round.plays) >= LONG_ROUND_PLAYS, **terms
        ),
        "pause": match_in_state([ann], is_paused, **terms),
        "over": with_rematch_offered([ann, tables.person("Benedikt")], **rated),
    }


def is_paused(state: State) -> bool:
    """Return whether a round after the second is over and the match continues."""
    return state.round.number > 2 and state.round.over is not None and not state.match_over


def with_rematch_offered(people: list[User], **terms: Any) -> Match:
    """Prepare a finished match whose last player wants a rematch."""
    match = match_in_state(people, lambda state: bool(state.match_over), **terms)
    match.seats.update(last_seen=timezone.now())
    return rematch.agree_to_rematch(match=match, by=people[-1])


def with_absent_players(ann: User) -> Match:
    """Prepare a table with one late player, one that the others may replace by a bot, and one who has left."""
    absentees = [tables.person(name) for name in ("Late", "Held", "Left")]
    match = match_in_state(
        [ann, *absentees], lambda state: state.round.to_move == 1 and len(state.round.plays) > 4, bots=0
    )
    with transaction.atomic():
        absence.handle_timeout(tables.locked_row(match), timezone.now())
        absence.hold_seat(tables.locked_row(match), 2, "gone", timezone.now())
        play.leave_match(match_id=match.pk, user_id=absentees[-1].pk)
    return match


def abandoned_table(ann: User) -> Match:
    """Prepare a running table that Ann has left for good."""
    match = match_in_state([ann, tables.person("Stays")], bots=2)
    play.leave_match(match_id=match.pk, user_id=ann.pk)
    return match


def late_table(ann: User, key: str) -> Match:
    """Prepare an untimed table of this game late in a round, where Ann is to move."""
    rules = rules_for(key)
    seats = max(rules.seat_counts)
    terms: dict[str, Any] = {"variant": key, "bots": seats - 1, "options": last_choices(rules, seats), "clock": "none"}
    return match_in_state([ann], lambda state: has_a_choice(state) and len(state.round.plays) >= LATE_PLAYS, **terms)


def last_table(ann: User) -> Match:
    """Prepare an untimed table late in the last round of the shortest match, where Ann is to move."""
    terms: dict[str, Any] = {"variant": "triominoes", "bots": 1, "options": {"length": QUICK}, "clock": "none"}
    return match_in_state([ann], late_in_the_last_round, **terms)


def remembers_with_few_tiles(state: State) -> bool:
    """Return whether the round is over and seat 0 has one or two tiles and points that are only remembered."""
    own = state.standing[0]
    return state.round.over is not None and 1 <= len(state.hands[0]) <= 2 and own.points > 9 and not own.opened


def late_in_the_last_round(state: State) -> bool:
    last = rules_for("triominoes").is_last(state)
    return last and has_a_choice(state) and len(state.round.plays) >= VERY_LATE_PLAYS


def match_in_state(people: list[User], condition: Condition = bool, **columns: Any) -> Match:
    """Return a match played until its state fulfils the condition."""
    while True:
        match = tables.running_table(people, **{"bots": 1, "clock": "normal", **columns})
        state = tables.play_until(match, condition)
        if condition(state):
            for text in ("Good luck!", "Have fun, everybody."):
                Message.objects.create(match=match, name="Ann", text=text)
            return match


def keep_active(match: Match) -> None:
    """Move the events of a match an hour into the future, so that it is featured although nobody moves."""
    MatchEvent.objects.filter(match=match).update(at=F("at") + timedelta(hours=1))


def legal_moves(state: State) -> tuple[object, ...]:
    return () if state.round.to_move is None else rules_for(state.setup.variant).legal_moves(state)


def has_a_choice(state: State) -> bool:
    """Return whether seat 0 is to move and has tiles for both ends, for one end and for none.

    Both sides of a lone double are the same place.
    """
    if state.round.to_move != 0 or len(state.round.plays) == 1:
        return False
    fitting = [move.tile for move in legal_moves(state) if isinstance(move, Play)]
    idle = set(state.hands[0]) - set(fitting)  # compare tiles instead of counting: a hand may hold two equal tiles
    return len(fitting) > len(set(fitting)) > 1 and bool(idle)


def hold_seat(match: Match) -> Match:
    """Disconnect seat 0, so that a bot plays for it."""
    with transaction.atomic():
        absence.hold_seat(tables.locked_row(match), 0, "gone", datetime.now(UTC))
    return match


def log_in(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value
