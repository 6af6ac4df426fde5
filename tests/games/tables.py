"""Tables for tests: real matches, opened and started as the site does, and moves that are legal in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import count
from random import Random
from typing import Any

from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.deal import nonce_commitment
from games.engine.decide import decide, new_match
from games.engine.events import Event
from games.engine.evolve import evolve
from games.engine.moves import Move
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import rules_for
from games.fair_dealing import dealing
from games.match import match_rows, record
from games.models import SLUG_ALPHABET, Match, Seat
from games.services import absence, match_updates, play
from games.services.match_updates import MatchUpdate
from games.services.moves import MoveRequest, MoveResult, make_moves
from games.terms.terms import usual_absence_policy
from tests import seeds

MoveChooser = Callable[[Rules, State], Move]
PERSON_NUMBERS = count(1)
SEEDED_SOURCE = seeds.SeededSource("tables")


def draw_secret_and_slug() -> tuple[str, str]:
    """Draw them from the seed of the test on a site, and by the number of the table in the test process.

    Many tests that lay their tables in their own process rely on one deal.
    """
    if seeds.is_site_process():
        return SEEDED_SOURCE.token_hex(32), "".join(SEEDED_SOURCE.choices(SLUG_ALPHABET, 12))
    laid = Match.objects.count()
    return Random(laid).randbytes(32).hex(), "".join(Random(laid).choices(SLUG_ALPHABET, k=12))


def person(name: str = "Ann", **fields: Any) -> User:
    return User.objects.create(username=f"person-{next(PERSON_NUMBERS)}", name=name, **fields)


def browser_of(user: User | None = None) -> Client:
    """Return the browser of a person, or of a visitor."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def open_table(
    people: Sequence[User],
    *,
    bots: int = 0,
    variant: str = "kozel",
    options: Mapping[str, str] | None = None,
    **columns: Any,
) -> Match:
    """Return an open table, missing options at their defaults, whose seats the people take first, then the bots.

    What an absence leads to is the usual, as on the site.
    The first table of a database is dealt the same tiles in every run, and so are the second and all others; on a site
    the deals follow from the seed of the test.
    """
    columns.setdefault("absence", usual_absence_policy(rules_for(variant), rated=columns.get("rated", False)))
    secret, slug = draw_secret_and_slug()
    seats = len(people) + bots
    match = Match.objects.create(
        slug=slug,
        variant=variant,
        seat_count=seats,
        options=dict(new_match(rules_for(variant), seats, options or {}).options),
        host=people[0] if people else None,
        secret=secret,
        commitment=dealing.commitment(secret),
        **columns,
    )
    for index in range(match.seat_count):
        user = people[index] if index < len(people) else None
        nonce = f"nonce-{index}"
        Seat.objects.create(
            match=match,
            index=index,
            user=user,
            bot="" if user else "steady",
            name=user.name if user else f"Bot {index}",
            nonce_commitment=nonce_commitment(nonce) if user else "",
            nonce=nonce if user else "",
        )
    return match


def running_table(people: Sequence[User], *, bots: int = 0, **columns: Any) -> Match:
    return play.start_match(match=open_table(people, bots=bots, **columns))


@transaction.atomic
def hold_seat(match: Match, user: User) -> None:
    """Let a bot play for a person who has no connection, with nobody choosing how to go on."""
    row, now = locked_row(match), timezone.now()
    seat = row.seat_of(user.pk)
    assert seat is not None
    absence.hold_seat(row, seat, "gone", now)
    absence.continue_with_bot(locked_row(match), now)


def locked_row(match: Match) -> match_rows.MatchRow:
    return match_rows.lock_rows([match.pk])[match.pk]


def state_of(match: Match) -> State:
    return record.load_state(match.pk)


def first_legal_move(match: Match) -> str:
    """Return a legal move of the seat whose turn it is."""
    state = state_of(match)
    rules = rules_for(state.setup.variant)
    return rules.move_text(rules.legal_moves(state)[0])


def player_to_move(match: Match) -> User:
    """Return the person whose turn it is."""
    return Seat.objects.get(match=match, index=state_of(match).round.to_move).user


def make_first_move(match: Match) -> MoveResult:
    row = locked_row(match)
    seat = Seat.objects.get(match=match, index=row.to_move)
    request = MoveRequest(
        match.pk,
        row.version,
        first_legal_move(match),
        user_id=None if seat.bot else seat.user_id,
        seat=seat.index if seat.bot else None,
    )
    (answer,) = make_moves([request])
    assert isinstance(answer, MoveResult), answer
    return answer


def play_round(match: Match) -> None:
    """Play with first moves until the round is over."""
    play_until(match, lambda state: state.round.to_move is None)


def choose_first(rules: Rules, state: State) -> Move:
    return rules.legal_moves(state)[0]


@transaction.atomic
def play_until(match: Match, is_reached: Callable[[State], bool], choose: MoveChooser = choose_first) -> State:
    """Play until a state is wanted, to the end if none is.

    What is played of a round is committed at once: move by move this would take many times as long.
    """
    while True:
        row, now = locked_row(match), timezone.now()
        state = record.state_of(match.pk, row.version)
        if is_reached(state) or state.match_over:
            return state
        if row.to_move is None:
            play.start_next_round(row, now)
        else:
            match_updates.commit_updates(
                [MatchUpdate.from_events(row, state, events_until(state, is_reached, choose))], now
            )


def events_until(state: State, is_reached: Callable[[State], bool], choose: MoveChooser) -> list[Event]:
    """Return what these moves make happen until a state is wanted, or the round is over."""
    rules = rules_for(state.setup.variant)
    happened: list[Event] = []
    while state.round.to_move is not None and not (happened and is_reached(state)):
        events = decide(rules, state, state.round.to_move, choose(rules, state))
        happened += events
        state = reduce(evolve, events, state)
    return happened
