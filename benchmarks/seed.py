"""Creates running matches with people in the database of the environment: ``python -m benchmarks.seed --tables 64``.

Prints one JSON object per table with its slug and the sessions of its seats. With ``--endless`` all scores are so low
that no match ends. With ``--programs`` two bots of a person play at each table, and the object has their tokens.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")
# Starts do not wait for nonces, which only pages can send.
os.environ["NONCE_SECONDS"] = "0"
django.setup()

from django.conf import settings  # noqa: E402
from django.db import transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.bots import create_bot  # noqa: E402
from accounts.models import User  # noqa: E402
from accounts.tokens.issuing import SCOPES_OF_BOTS, create_token  # noqa: E402
from games.engine.events import StandingSet  # noqa: E402
from games.engine.variants import rules_for  # noqa: E402
from games.lobby import bot_tables, tables  # noqa: E402
from games.match import match_rows, record  # noqa: E402
from games.models import Match, Seat  # noqa: E402
from games.services.moves import MoveRequest  # noqa: E402
from games.terms.terms import Terms  # noqa: E402
from games.words import offered_variants  # noqa: E402

ENDLESS_POINTS = -10_000


def create_people(count: int) -> list[User]:
    """Return new people."""
    first = User.objects.count()
    names = [f"guest{number}" for number in range(first, first + count)]
    return [User.objects.create(username=name, name=name.capitalize(), password="!") for name in names]


def log_in(user: User) -> str:
    """Log a person in and return the session's key."""
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


@transaction.atomic
def start_match(variant: str, sitting: Sequence[User], bots: int = 0) -> Match:
    """Return a running match of these people and some bots."""
    host, *guests = sitting
    match = tables.open_table(host=host, terms=Terms(variant, len(sitting) + bots, clock=Match.Clock.RELAXED))
    for user in guests:
        tables.sit(match=match, user=user)
    if bots:
        return tables.fill_with_bots(match=match, by=host)
    return tables.start_or_agree(match=match, by=host)


@transaction.atomic
def start_match_of_programs(variant: str) -> dict[str, Any]:
    """Start a match of the two bots of a new person; return its slug and their tokens."""
    (owner,) = create_people(1)
    User.objects.filter(pk=owner.pk).update(date_joined=timezone.now() - timedelta(days=30))
    owner.refresh_from_db()
    host, guest = (create_bot(owner=owner, name=f"{name} {owner.pk}") for name in ("Roller", "Tumbler"))
    match = bot_tables.open_table(bot=host, variant=variant, seats=2, options={}, clock=Match.Clock.NONE)
    bot_tables.sit(match=match, bot=guest, index=None)
    tokens = [create_token(user=bot, name="bot", scopes=SCOPES_OF_BOTS) for bot in (host, guest)]
    return {"slug": match.slug, "tokens": tokens}


@transaction.atomic
def make_endless(match: Match) -> None:
    """Move everybody's score out of reach of the end of the match."""
    state = record.load_state(match.pk)
    standing = tuple(replace(score, points=ENDLESS_POINTS) for score in state.standing)
    version = record.append(match.pk, match.version, [StandingSet(standing, 0)], timezone.now())
    Match.objects.filter(pk=match.pk).update(version=version)


def random_move(row: match_rows.MatchRow) -> MoveRequest:
    """Return some legal move of the person whose turn it is."""
    rules = rules_for(row.variant)
    moves = rules.legal_moves(record.state_of(row.match_id, row.version))
    move = rules.move_text(random.choice(moves))
    assert row.to_move is not None
    return MoveRequest(row.match_id, row.version, move, row.holders[row.to_move].user_id)


def print_tables_of_programs(variants: Sequence[str], *, is_endless: bool) -> None:
    for variant in variants:
        data = start_match_of_programs(variant)
        if is_endless:
            make_endless(Match.objects.get(slug=data["slug"]))
        print(json.dumps(data))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--variant", nargs="+", choices=list(offered_variants()), default=[next(iter(offered_variants()))]
    )
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--bots", type=int, default=0, help="number of bots at a table")
    parser.add_argument("--endless", action="store_true")
    parser.add_argument("--programs", action="store_true", help="tables of two bots of people")
    args = parser.parse_args()
    variants = [variant for variant in args.variant for _ in range(args.tables)]
    if args.programs:
        print_tables_of_programs(variants, is_endless=args.endless)
        return
    size = args.seats - args.bots
    sitting = create_people(len(variants) * size)
    people_by_match = [sitting[first : first + size] for first in range(0, len(sitting), size)]
    for variant, people in zip(variants, people_by_match, strict=True):
        with transaction.atomic():  # a bot could move between the two
            match = start_match(variant, people, args.bots)
            if args.endless:
                make_endless(match)
        keys = [log_in(seat.user) for seat in Seat.objects.filter(match=match).order_by("index") if seat.user]
        print(json.dumps({"slug": match.slug, "sessions": keys}))


if __name__ == "__main__":
    main()
