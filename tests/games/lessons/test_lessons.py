"""Lessons: every task can be done, what is tried is judged by the engine, and nothing is kept."""

from __future__ import annotations

import html
import re
from collections import Counter
from itertools import chain
from typing import Any

import pytest
from django.test import Client

from games.engine.variants import rules_for
from games.lessons import LEARNER_SEAT, lesson_of
from games.lessons.attempts import try_move
from games.lessons.rendering import tile_named_in_text
from games.templatetags.rules import unbroken_tiles
from games.words import offered_variants, words_of

TASKS = [(key, number, task) for key in offered_variants() for number, task in enumerate(lesson_of(key), 1)]


@pytest.mark.parametrize("variant", offered_variants())
def test_every_game_has_a_lesson_of_a_few_tasks(variant: str) -> None:
    assert 5 <= len(lesson_of(variant)) <= 10


def test_every_task_can_be_solved() -> None:
    for variant, _number, task in TASKS:
        rules, state = rules_for(variant), task.position()
        assert state.setup.variant == variant
        assert state.round.to_move == LEARNER_SEAT
        assert task.rule in words_of(variant).rules
        legal = {rules.move_text(move) for move in rules.legal_moves(state)}
        assert set(task.solutions) <= legal
        for text in task.solutions:
            tried = try_move(task, text)
            assert tried.is_solved
            assert (tried.is_wrong, tried.refusal) == (False, None)


def test_other_legal_moves_get_the_hint_and_illegal_ones_the_rule() -> None:
    for variant, _number, task in TASKS:
        rules, state = rules_for(variant), task.position()
        for move in rules.legal_moves(state):
            text = rules.move_text(move)
            assert try_move(task, text).is_wrong == (text not in task.solutions)
        for text in ("9-9 left", "<b>", "draw " * 20, "\u0661-\u0661"):
            refused = try_move(task, text).refusal
            assert refused is not None
            assert refused.code == "bad_move"


def test_tasks_have_no_duplicate_tiles() -> None:
    for variant, _number, task in TASKS:
        rules, state = rules_for(variant), task.position()
        layout: Any = state.round.layout
        laid = [placed.tile for placed in layout.tiles]
        there = Counter(chain(*state.hands, state.boneyard, laid))
        assert not there - Counter(rules.tile_set)


def test_a_hint_that_says_a_move_scores_less_is_true_of_every_other_move() -> None:
    for variant, number, task in TASKS:
        if not re.search("That (scores|brings) less", str(task.hint)):
            continue
        rules, state = rules_for(variant), task.position()
        points = {rules.move_text(move): rules.move_points(state, move).total for move in rules.legal_moves(state)}
        best = min(points[text] for text in task.solutions)
        assert all(text in task.solutions or points[text] < best for text in points), (variant, number)


@pytest.mark.parametrize(
    ("variant", "title", "points"),
    [
        ("all_fives", "Counting", 6 + 4),
        ("all_fives", "A double at an end", 2 * 4 + 2),
        ("all_fives", "The spinner", 0),  # 3 + 1 = 4
        ("all_fives", "Four arms", 3 + 1 + 4 + 2),
        ("all_fives", "The target", 2 * 4 + 2),
        ("rytmino", "What comes next?", 6 * 6),
        ("rytmino", "Two lines at once", 3 * 3),
        ("rytmino", "Doubles count twice", 3 * 3 * 2),
        ("rytmino", "A repetition fixes the rhythm", 4 * 4 * 2),
        ("rytmino", "Three lines", 4 * 3 * 3),
        ("rytmino", "The stack rule", 4 * 4),
        ("rytmino", "The end of the deal", 3 * 3 * 2),
        ("triominoes", "Corner to corner", 3 + 4 + 5),
        ("triominoes", "The first tile", 0 + 30 + 10),
        ("triominoes", "A bridge", 0 + 1 + 2 + 40),
        ("triominoes", "A hexagon", 4 + 5 + 5 + 50),
    ],
)
def test_tasks_score_the_claimed_points(variant: str, title: str, points: int) -> None:
    task = next(task for task in lesson_of(variant) if task.title == title)
    rules, state = rules_for(variant), task.position()
    for text in task.solutions:
        assert rules.move_points(state, rules.parse_move(state, text)).total == points


def test_the_rows_of_the_first_rhythm_repeat() -> None:
    layout: Any = try_move(lesson_of("rytmino")[0], "V(4,0)=3-1").view.round.layout
    rows = ["".join(str(layout.values[x, y]) for x in range(-1, 5)) for y in (0, 1)]
    assert rows == ["123123", "231231"]


@pytest.mark.parametrize(
    ("variant", "number", "named"),
    [
        ("kozel", 2, "6-4"),  # "Your 6-4 fits on the left"
        ("kozel", 4, "draw"),
        ("kozel", 5, "4-2"),  # the only tile
        ("all_fives", 1, ""),  # which one scores 10?
        ("triominoes", 1, "3-4-5"),
        ("rytmino", 1, "3-1"),
    ],
)
def test_task_highlights_named_tiles_but_not_the_solution(variant: str, number: int, named: str) -> None:
    assert tile_named_in_text(lesson_of(variant)[number - 1]) == named


def test_page_shows_the_task_and_the_result(client: Client) -> None:
    for variant, number, task in TASKS:
        address = f"/learn/{variant}/{number}/"
        page = page_html(client, address)
        assert html.escape(unbroken_tiles(str(task.text))) in page
        assert "Right." not in page
        tile = re.search(r'<button id="h\d+"[^>]* aria-label="([\d-]+)', page)
        assert tile is not None
        assert 'id="board"' in page_html(client, address, tile=tile[1])
        done = page_html(client, address, move=task.solutions[0])
        assert html.escape(unbroken_tiles(str(task.praise))) in done
        assert 'id="lesson-next"' in done
        refused = page_html(client, address, move="9-9 left")
        assert html.escape("The site did not understand that move.") in refused
        assert 'role="alert"' in refused


def test_the_first_page_is_the_first_task(client: Client) -> None:
    variant = next(iter(offered_variants()))
    assert html.escape(str(lesson_of(variant)[0].title)) in page_html(client, f"/learn/{variant}/")


@pytest.mark.parametrize(
    "address", ["/learn/tiddlywinks/", "/learn/kozel/0/", "/learn/kozel/99/", "/learn/kozel/99999999999999/"]
)
def test_unknown_lesson_is_404(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def page_html(client: Client, address: str, **query: str) -> str:
    response = client.get(address, query)
    assert response.status_code == 200
    return response.content.decode()
