"""Tables in every state, laid in the database of a site for one person, who has seat 0, to look at.

Runs in the shell of a site (``Server.answer``), which runs without its clock, so that every table stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import transaction
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
from games.models import Match, Message
from games.services import absence, play, rematch
from games.terms.terms import Terms
from games.words import offered
from tests.engine.matches import last_choices
from tests.games import tables

LONGEST = 22
"""Placements of a long round: in every game there are rounds with more, and few tiles are left."""
LATE = 12
VERY_LATE = 24
"""With two players and 56 tiles, of which many are drawn on the way, as much is left then as elsewhere after 12."""
Wanted = Callable[[State], bool]


@transaction.atomic
def lay() -> dict[str, Any]:
    """Return the address of a table in each state, and the sessions of people."""
    ann, told = tables.person("Ann"), tables.person("Told")
    for _number in range(2):
        notices.send("report_decided", {told.pk: {"name": "Konstantinopolitanen", "verdict": "dismissed"}})
    laid = tables_of(ann) | {"told": running([told], has_a_choice, bots=3)}
    return {
        "tables": {state: f"/match/{match.slug}/" for state, match in laid.items()},
        "sessions": {user.name: session(user) for user in (ann, told)},
    }


def lay_doomed() -> dict[str, Any]:
    """Return the address of a table, the session and the number of Eve, who sits there, and that of Root."""
    eve, root = tables.person("Eve"), tables.person("Root", is_staff=True, is_superuser=True)
    table = f"/match/{running([eve]).slug}/"
    return {"tables": {"doomed": table}, "sessions": {user.name: session(user) for user in (eve, root)}, "eve": eve.pk}


def tables_of(ann: User) -> dict[str, Match]:
    """Lay what is alike in all games once, and what a game shows of itself for every game."""
    variant = next(iter(offered()))
    laid = {
        "open": lobby_tables.open_table(host=ann, terms=Terms(variant, 4, visibility="link", rated=True)),
        "theirs": running(
            [ann],
            lambda state: state.round.to_move == 2 and len(state.round.plays) > 8,
            variant=variant,
            bots=3,
            clock="1-day",
        ),
        "draw": running([ann], lambda state: state.round.to_move == 0 and legal(state) == (Draw(),), variant=variant),
        "knock": running([ann], lambda state: state.round.to_move == 0 and legal(state) == (Pass(),), bots=3),
        "kept": kept(running([ann], lambda state: state.round.to_move == 1, variant=variant, bots=3)),
        "absent": with_absent_players(ann),
        "out": left_by(ann),
        "remembered": running([ann], remembers_with_few_tiles, variant="kozel", bots=3),
        "watched": running([], lambda state: len(state.round.plays) > 10, variant=variant, bots=4),
    }
    for rules in offered().values():
        laid |= {f"{rules.key} {state}": match for state, match in tables_of_game(ann, rules).items()}
    return laid


def tables_of_game(ann: User, rules: Rules) -> dict[str, Match]:
    """Lay a table with a choice, one late in a round, one between rounds and one after the match."""
    seats = max(rules.seat_counts)
    terms: dict[str, Any] = {"variant": rules.key, "bots": seats - 1, "options": last_choices(rules, seats)}
    both = {**terms, "bots": seats - 2, "rated": True}
    return {
        "mine": running([ann], has_a_choice, **terms),
        "long": running([ann], lambda state: state.round.to_move == 0 and len(state.round.plays) >= LONGEST, **terms),
        "pause": running([ann], is_paused, **terms),
        "over": with_rematch_offered([ann, tables.person("Benedikt")], **both),
    }


def is_paused(state: State) -> bool:
    """Return whether a round after the second is over, and the match goes on."""
    return state.round.number > 2 and state.round.over is not None and not state.match_over


def with_rematch_offered(people: list[User], **terms: Any) -> Match:
    """Lay a match that is over, after which the last of these people wants another."""
    match = running(people, lambda state: bool(state.match_over), **terms)
    match.seats.update(last_seen=timezone.now())
    return rematch.agree(match=match, by=people[-1])


def with_absent_players(ann: User) -> Match:
    """Lay a table at which one is late, a bot plays for another if the others say so, and a third has left."""
    others = [tables.person(name) for name in ("Late", "Held", "Left")]
    match = running([ann, *others], lambda state: state.round.to_move == 1 and len(state.round.plays) > 4, bots=0)
    with transaction.atomic():
        absence.out_of_time(tables.row_of(match), timezone.now())
        absence.hold(tables.row_of(match), 2, "gone", timezone.now())
        play.leave(match_id=match.pk, user_id=others[-1].pk)
    return match


def left_by(ann: User) -> Match:
    """Lay a table that Ann has left for good, at which somebody plays on."""
    match = running([ann, tables.person("Stays")], bots=2)
    play.leave(match_id=match.pk, user_id=ann.pk)
    return match


def late_table(ann: User, key: str) -> Match:
    """Lay a table late in a round of this game, at which it is Ann's turn and nobody is hurried."""
    rules = rules_for(key)
    seats = max(rules.seat_counts)
    terms: dict[str, Any] = {"variant": key, "bots": seats - 1, "options": last_choices(rules, seats), "clock": "none"}
    return running([ann], lambda state: has_a_choice(state) and len(state.round.plays) >= LATE, **terms)


def last_table(ann: User) -> Match:
    """Lay a table late in the last round of the shortest match, at which it is Ann's turn and nobody is hurried."""
    terms: dict[str, Any] = {"variant": "triominoes", "bots": 1, "options": {"length": QUICK}, "clock": "none"}
    return running([ann], late_in_the_last_round, **terms)


def remembers_with_few_tiles(state: State) -> bool:
    """Say whether a round is over in which seat 0 keeps one tile or two and has points that are only remembered."""
    own = state.standing[0]
    return state.round.over is not None and 1 <= len(state.hands[0]) <= 2 and own.points > 9 and not own.opened


def late_in_the_last_round(state: State) -> bool:
    last = rules_for("triominoes").is_last(state)
    return last and has_a_choice(state) and len(state.round.plays) >= VERY_LATE


def running(people: list[User], wanted: Wanted = bool, **columns: Any) -> Match:
    """Return a match that first moves have brought into the state that is wanted."""
    while True:
        match = tables.running_table(people, **{"bots": 1, "clock": "normal", **columns})
        state = tables.play_until(match, wanted)
        if wanted(state):
            for text in ("Good luck!", "Have fun, everybody."):
                Message.objects.create(match=match, name="Ann", text=text)
            return match


def legal(state: State) -> tuple[object, ...]:
    return () if state.round.to_move is None else rules_for(state.setup.variant).legal_moves(state)


def has_a_choice(state: State) -> bool:
    """Say whether seat 0 is to move with three tiles: for both ends, for one end, and for none."""
    if state.round.to_move != 0:
        return False
    fitting = [move.tile for move in legal(state) if isinstance(move, Play)]
    idle = set(state.hands[0]) - set(fitting)  # not by counting: a hand may hold two equal tiles
    return len(fitting) > len(set(fitting)) > 1 and bool(idle)


def kept(match: Match) -> Match:
    """Let seat 0 lose its connection, so that a bot keeps it."""
    with transaction.atomic():
        absence.hold(tables.row_of(match), 0, "gone", datetime.now(UTC))
    return match


def session(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value
