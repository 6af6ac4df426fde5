"""The analysis by the bot: of matches that are over only, a value for every move, worked out behind the pages."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games import bots
from games.engine.decide import decide, new_match
from games.engine.events import Played
from games.engine.evolve import evolve, start_state
from games.engine.moves import Play
from games.engine.outcome import Outcome
from games.engine.playout import playout
from games.engine.replay import decisions
from games.engine.variants import rules_for
from games.engine.view import view_for
from games.errors import Refused
from games.explanations.rendering import attempt_reasons
from games.match import selectors
from games.models import Match
from games.rendering.layouts import drawing_of
from games.review import analysis, steps
from games.review.analysis import SAMPLES, Analysis
from games.review.evaluation import moves_to_compare
from games.review.match_steps import Step
from games.templatetags.rules import unbroken_tiles
from games.words import offered_variants
from games.words.lookup import words_for
from infrastructure.limit_settings import parse_place_limits, parse_rate_limits
from infrastructure.limits import LimitExceeded, limits
from tests.engine.positions import in_round
from tests.games.reviewed import TWO_GAMES, choice_at, play_random_moves, request_analysis, state_at, stop_match

PATIENCE_SECONDS = 60


def choice(match: Match) -> Step:
    """Return the first step after which somebody has a choice."""
    match_steps = steps.load_match_steps(match.pk, match.version)
    return next(step for step in match_steps.steps if choice_at(match.pk, step))


def asked(match: Match, at: Any, **headers: str) -> Any:
    return Client().post(reverse("match-analysis", args=[match.slug]), {"at": at}, follow=True, headers=headers)


def polled(match: Match, at: Any) -> Any:
    return Client().get(reverse("match-analysis", args=[match.slug]), {"at": at}, headers={"HX-Request": "true"})


def text(response: Any) -> str:
    return unescape(response.content.decode())


@pytest.mark.parametrize("variant", TWO_GAMES)
def test_every_legal_move_is_evaluated_with_what_the_seat_knew_and_with_all_hands_open(variant: str) -> None:
    match = stop_match(play_random_moves(variant, 5))
    step = choice(match)
    view, state = choice_at(match.pk, step), state_at(match.pk, step)
    for position in (None, state):
        values = bots.evaluate_outcomes(view, position, 1)
        assert len(values) == len(view.legal) > 1
        assert values == bots.evaluate_outcomes(view, position, 1)
        assert all(0 <= outcome.chance <= 1 for outcome in values)


@pytest.mark.parametrize("variant", TWO_GAMES)
def test_hidden_tiles_do_not_influence_the_analysis(variant: str) -> None:
    """Two positions look alike to the seat; only the evaluation with open hands is handed the position at all."""
    match = stop_match(play_random_moves(variant, 5))
    view = choice_at(match.pk, choice(match))
    assert [seat.hand is not None for seat in view.seats] == [seat.seat == view.viewer for seat in view.seats]


def test_with_all_hands_open_the_bot_does_not_play_into_a_hand() -> None:
    """Kozel at 2/1, worked by hand: after 3-1 seat 1 goes out with 5-3; after 4-2 it knocks, and 3-1 goes out."""
    rules = rules_for("kozel")
    dealt = replace(
        in_round(start_state(new_match(rules, 2, {})), number=1, to_move=1),
        hands=(((3, 1), (4, 2)), ((2, 1), (5, 3))),
    )
    (played_first,) = decide(rules, dealt, 1, rules.parse_move(dealt, "2-1"))
    state = evolve(dealt, played_first)
    view = view_for(rules, state, 0)
    values = {
        move.tile: (outcome, value)
        for move, outcome, value in zip(
            view.legal,
            bots.evaluate_outcomes(view, state, 1),
            bots.evaluate_moves(view, state, 1),
            strict=True,
        )
        if isinstance(move, Play)
    }
    assert values[4, 2][0].points == 8, "5-3 stays"
    assert values[3, 1][0].points == -6, "4-2 stays"
    assert values[4, 2][0].chance > values[3, 1][0].chance
    assert values[4, 2][1] > 0 > values[3, 1][1], "and so does the bot see it when it chooses"


def test_a_seat_that_is_not_to_move_has_no_analysis() -> None:
    state = state_at((match := play_random_moves("kozel", 4)).pk, choice(match))
    for evaluate in (bots.evaluate_moves, bots.evaluate_outcomes):
        with pytest.raises(ValueError, match="turn"):
            evaluate(view_for(rules_for("kozel"), state, None), None, 1)


def test_running_match_has_no_analysis() -> None:
    match = play_random_moves("kozel", 4)
    step = choice(match)
    response = asked(match, step.number)
    assert "This match is not finished yet." in text(response)
    assert "Ask the bot" not in text(response)
    assert analysis.find_analysis(match.pk, step) is None
    assert text(polled(match, step.number)).strip() == ""


def test_step_without_a_choice_has_no_analysis() -> None:
    match = stop_match(play_random_moves("kozel", 4))
    last = steps.load_match_steps(match.pk, match.version).last_number
    assert "There is nothing to choose here." in text(asked(match, last))
    with pytest.raises(Refused, match="no_choice"):
        request_analysis(match.pk, steps.load_match_steps(match.pk, match.version).step(last))


@pytest.mark.parametrize("at", ["0", "x", "٣", "9" * 40])
def test_unknown_step_has_an_error_page(at: str) -> None:
    match = stop_match(play_random_moves("kozel", 2))
    for response in (asked(match, at), polled(match, at)):
        assert response.status_code == 404
        assert "There is no such step" in text(response)


def test_analysis_runs_in_a_worker_and_is_cached(settings: Settings) -> None:
    settings.PLACES = settings.PLACES | {"opinions": parse_place_limits("1 address")}
    match = stop_match(play_random_moves("kozel", 5))
    step = choice(match)
    address = reverse("match-review", args=[match.slug])
    assert "Ask the bot" in text(Client().get(address, {"at": step.number}))
    html = text(asked(match, step.number))
    assert "The bot is thinking." in html
    assert '<meta http-equiv="refresh"' in html
    until = time.monotonic() + PATIENCE_SECONDS
    while not analysis.find_analysis(match.pk, step).is_complete:
        assert time.monotonic() < until
        assert (
            'hx-trigger="every 500ms"' in text(polled(match, step.number))
            or analysis.find_analysis(match.pk, step).is_complete
        )
        time.sleep(0.1)
    html = text(polled(match, step.number))
    while limits.taken_places:  # the place is given back when all is done
        assert time.monotonic() < until
        time.sleep(0.01)
    assert "every 500ms" not in html
    assert html.count("<tr>") == 1 + len(choice_at(match.pk, step).legal)
    assert '<span class="badge">' in html
    assert 'badge-made">played<' in html
    finished = analysis.find_analysis(match.pk, step)
    request_analysis(match.pk, step)
    assert analysis.find_analysis(match.pk, step) is finished


@pytest.fixture
def nobody_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis.Analyses, "process_queue", lambda _self: None)


def test_too_many_questions_at_once_are_refused() -> None:
    match = stop_match(play_random_moves("kozel", 4))
    step = choice(match)
    begin: Any = partial(Analysis, choice_at(match.pk, step))
    for number in range(analysis.MAX_QUEUED_ANALYSES + 1):
        analysis._analyses().get_or_start((0, number), partial(begin, None), address="127.0.0.1")
    assert "That was too fast." in text(asked(match, step.number))
    assert analysis.find_analysis(match.pk, step) is None


def test_analyses_of_one_reader_are_limited(settings: Settings, nobody_works: None) -> None:
    settings.PLACES = settings.PLACES | {"opinions": parse_place_limits("2 address, 1 account")}
    match = stop_match(play_random_moves("kozel", 12))
    match_steps = steps.load_match_steps(match.pk, match.version)
    first, second, third = [step for step in match_steps.steps if choice_at(match.pk, step)][:3]
    request_analysis(match.pk, first, address="192.0.2.1", account=1)
    request_analysis(match.pk, first, address="192.0.2.1", account=1)  # it waits already
    with pytest.raises(LimitExceeded):
        request_analysis(match.pk, second, address="192.0.2.3", account=1)
    request_analysis(match.pk, second, address="192.0.2.1")
    with pytest.raises(LimitExceeded):
        request_analysis(match.pk, third, address="192.0.2.1")
    request_analysis(match.pk, third, address="192.0.2.2")
    for step in (first, second, third):
        analysis.find_analysis(match.pk, step).set_result(None)
    assert not limits.taken_places


def test_analyses_are_rate_limited(settings: Settings) -> None:
    settings.RATES = settings.RATES | {"opinions": parse_rate_limits("1+1/m address")}
    match = stop_match(play_random_moves("kozel", 12))
    match_steps = steps.load_match_steps(match.pk, match.version)
    first, second = [step for step in match_steps.steps if choice_at(match.pk, step)][:2]
    limits.enforce("opinions", address="127.0.0.1")
    for step in (first, second):
        answer = asked(match, step.number)
        assert (answer.status_code, answer["Retry-After"]) == (429, "60")
        assert analysis.find_analysis(match.pk, step) is None


def test_failed_analysis_is_reported_and_can_be_repeated(nobody_works: None) -> None:
    match = stop_match(play_random_moves("kozel", 4))
    step = choice(match)
    request_analysis(match.pk, step)
    analysis.find_analysis(match.pk, step).set_exception(TimeoutError())
    assert "Please try again" in text(polled(match, step.number))
    request_analysis(match.pk, step)
    assert not analysis.find_analysis(match.pk, step).evaluation().has_failed


def test_progress_is_the_share_of_the_parts() -> None:
    match = stop_match(play_random_moves("kozel", 4))
    step = choice(match)
    asked_for = Analysis(choice_at(match.pk, step), state_at(match.pk, step))
    assert asked_for.progress == 0
    asked_for.closed_values += [[Outcome(1.0, 0.25), Outcome(2.0, 0.5)]] * SAMPLES
    assert (asked_for.progress, asked_for.is_complete) == (0.5, False)
    asked_for.open_values += [[Outcome(0.0, 0.0), Outcome(4.0, 1.0)]] * (SAMPLES // 2)
    asked_for.open_values += [[Outcome(2.0, 0.5), Outcome(0.0, 0.5)]] * (SAMPLES // 2)
    assert (asked_for.progress, asked_for.is_complete) == (1, True)
    assert asked_for.values() == [
        (Outcome(1.0, 0.25), Outcome(1.0, 0.25)),
        (Outcome(2.0, 0.5), Outcome(2.0, 0.75)),
    ]


@pytest.mark.parametrize("variant", offered_variants())
def test_preview_is_where_the_played_tile_will_be(variant: str) -> None:
    """For each shape of felt, at each choice of a match that was played at random."""
    rules, compared = rules_for(variant), 0
    for turn in decisions(playout(rules, min(rules.seat_counts), {}, "ghosts", leave_after=25)):
        before, fact = turn.state, turn.events[0]
        if not isinstance(fact, Played):
            continue
        drawing, after = drawing_of(before.round.layout), drawing_of(evolve(before, fact).round.layout)
        for shape in drawing.shapes:
            laid = after.arrange(shape).tiles[-1]
            assert drawing.ghost(Play(fact.tile, fact.place), shape) in after.tile(laid)
            compared += 1
    assert compared >= 10


def test_analysis_lines_link_to_branches_and_mark_ties(nobody_works: None) -> None:
    match = stop_match(play_random_moves("kozel", 5))
    step = choice(match)
    request_analysis(match.pk, step)
    running, count = analysis.find_analysis(match.pk, step), len(choice_at(match.pk, step).legal)
    second, rest = Outcome(2.0, 0.5), [Outcome(9.0, 0.1)] * (count - 2)
    firsts = {Outcome(2.4, 0.504): "equally good", Outcome(2.6, 0.504): "best", Outcome(1.0, 0.506): "best"}
    for first, badge in firsts.items():
        running.closed_values[:] = [[first, second, *rest]] * SAMPLES
        running.open_values[:] = [[Outcome(0.0, 0.5)] * count] * SAMPLES
        html = text(polled(match, step.number))
        assert html.count(f">{badge}<") == (2 if badge == "equally good" else 1)
    assert "<b>51%</b>" in html
    assert '50% <span class="soft">+2</span>' in html
    move = view_moves(match, step)[0]
    branch = reverse("match-branch", args=[match.slug], query={"at": step.number, "as": "open"})
    assert f'href="{branch}&moves={quote(move, safe="")}"' in html


def view_moves(match: Match, step: Step) -> list[str]:
    view = choice_at(match.pk, step)
    return [view.rules.move_text(move) for move in view.legal]


MOVES = tuple(Play((number, 0), "") for number in range(4))


@pytest.mark.parametrize(
    ("percentages", "played", "pair"),
    [
        ((50, 70, 60), 0, (1, 0)),
        ((50, 70, 60), 1, (1, 2)),
        ((50, 70, 60), None, (1, 2)),
        ((70, 70, 60), 1, (1, 2)),
        ((70, 70, 70), 1, None),
    ],
    ids=["best and played", "played is best", "none played", "played is as good as the best", "all alike"],
)
def test_best_move_is_compared_with_the_one_played_or_the_next_best(
    percentages: tuple[int, ...], played: int | None, pair: tuple[int, int] | None
) -> None:
    """What readers cannot tell apart is equally good: 70.0 % and 70.4 %."""
    outcomes = [Outcome(0.0, (percent + 0.1 * number) / 100) for number, percent in enumerate(percentages)]
    moves = MOVES[: len(outcomes)]
    compared = moves_to_compare(moves, outcomes, None if played is None else moves[played])
    assert compared == (pair and (moves[pair[0]], moves[pair[1]]))


def test_analysis_explains_what_makes_the_best_move_better(nobody_works: None) -> None:
    """Of two moves the worker states the facts that hold, and the page has their sentences, or none."""
    match = stop_match(play_random_moves("kozel", 12))
    match_steps = steps.load_match_steps(match.pk, match.version)
    table, words, explained = selectors.read_table(match.pk), words_for("kozel", "en"), 0
    for step in [step for step in match_steps.steps if choice_at(match.pk, step)][:6]:
        view, played = choice_at(match.pk, step), match_steps.move_after(step)
        request_analysis(match.pk, step, played=played)
        running = analysis.find_analysis(match.pk, step)
        outcomes = [
            Outcome(1.0, 0.4 if move == played else 0.5 + number / 100) for number, move in enumerate(view.legal)
        ]
        running.closed_values[:] = running.open_values[:] = [outcomes] * SAMPLES
        running.explanation = analysis._analyses().explain(running)
        best, worst = max(zip(outcomes, view.legal, strict=True))[1], played
        assert running.explanation[1:] == (*map(view.rules.move_text, (best, worst)), False)
        sentences = attempt_reasons(running.explanation, table, words, reader=None)
        html = text(polled(match, step.number))
        assert [f"<p>{unbroken_tiles(sentence)}</p>" in html for sentence in sentences] == [True] * len(sentences)
        assert html.count("<p>") == len(sentences)
        explained += bool(sentences)
    assert explained >= 2
