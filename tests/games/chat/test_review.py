"""The chat in the review: between the moves, for the eyes that could read it at the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts import blocks
from accounts.models import User
from games.access import MUTED_TABLES
from games.chat import posting
from games.engine.events import Drew, Passed
from games.match.table import ChatLine
from games.models import Match, Message
from games.review.match_steps import MatchSteps
from games.review.rendering import round_context
from games.services import play
from tests.games import tables
from tests.games.rendering.positions import table_of
from tests.games.review.test_list import steps_after

LINE = re.compile(r'id="(step-\d+|m\d+)"')


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(datetime(2026, 1, 1, 12, tzinfo=UTC), tick=False) as clock:
        yield clock


@pytest.fixture
def match(clock: time_machine.Traveller, ann: User, ben: User) -> Match:
    """A match in its second round, with a line after the deal, the first move, and the second deal."""
    match = tables.running_table([ann, ben], clock="none")
    clock.shift(1)
    post_line(match, ann, "after the deal")
    clock.shift(1)
    tables.make_first_move(match)
    clock.shift(1)
    post_line(match, ben, "after the first move")
    clock.shift(1)
    tables.play_round(match)
    clock.shift(1)
    play.start_next_round(tables.locked_row(match), timezone.now())
    clock.shift(1)
    post_line(match, ann, phrase="luck")
    return match


def post_line(match: Match, user: User, text: str = "", phrase: str = "") -> None:
    posting.post_message(match=match, user=user, text=text, phrase=phrase)


def page(match: Match, viewer: User | None = None, name: str = "review/", **query: int) -> str:
    client = Client()
    if viewer:
        client.force_login(viewer)
    return client.get(f"/match/{match.slug}/{name}", query).content.decode()


def test_lines_follow_the_step_before_them(match: Match) -> None:
    first, second, third = Message.objects.order_by("pk").values_list("pk", flat=True)
    assert LINE.findall(page(match))[:4] == ["step-1", f"m{first}", "step-2", f"m{second}"]
    assert f"m{third}" not in LINE.findall(page(match))
    later = LINE.findall(page(match, round=2))
    assert later[1:] == [f"m{third}"]
    assert "Good luck!" in page(match, round=2)


def test_fragment_of_a_round_has_its_chat(match: Match) -> None:
    assert "after the first move" in page(match, name="review/round/")
    assert "after the first move" not in page(match, name="review/round/", round=2)


def test_muted_hidden_and_blocked_lines_are_not_in_the_review(match: Match, ann: User, ben: User) -> None:
    Message.objects.filter(text="after the deal").update(hidden=True)
    html = page(match, ann)
    assert "after the deal" not in html
    assert "after the first move" in html
    blocks.block(blocker=ann, blocked=ben)
    assert "after the first move" not in page(match, ann)
    client = Client()
    client.cookies[MUTED_TABLES] = match.slug
    assert "after the first move" not in client.get(f"/match/{match.slug}/review/").content.decode()


def test_chat_between_consecutive_draws_follows_them() -> None:
    steps = steps_after((Drew(1, (6, 4), 1), 1), (Drew(1, (5, 4), 1), 1), (Passed(1, 2), 1))
    lines = {2: [ChatLine(7, "Ann", "one")], 3: [ChatLine(8, "Ben", "two")]}
    context = round_context(table_of(), MatchSteps(tuple(steps)), steps[0], language="en", chat=lines)
    assert [[LINE.findall(line) for line in entry.chat] for entry in context["entries"]] == [[], [["m7"], ["m8"]], []]
