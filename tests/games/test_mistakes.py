"""Mistakes of a match can be played again by the player who made them, with what that seat knew."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.engine.outcome import Outcome
from games.engine.tiles import tile_text
from games.engine.variants import rules_for
from games.explanations.rendering import explanation
from games.match import record, selectors
from games.match_reports import reports
from games.match_reports.report import MIN_CHANCE_LOSS, Choice, Report
from games.models import Match
from games.puzzles.mistakes import ComparedMove, Mistake, load_mistake, mistakes_of_seat
from games.templatetags.rules import unbroken_tiles
from games.words import offered_variants
from games.words.lookup import words_for
from tests.games import reviewed
from tests.games.reviewed import TWO_GAMES, play_random_moves, stop_match


def match_with_report(variant: str, moves: int = 20) -> tuple[Match, Report, int]:
    """Return a match that was played at random and stopped, its report, and a seat that has made a mistake."""
    match = reviewed.store_report(stop_match(play_random_moves(variant, moves)))
    report = reports.report_of(match)
    assert report
    return match, report, max(range(match.seat_count), key=lambda seat: len(mistakes_of_seat(report, seat)))


def client_of(match: Match, seat: int) -> Client:
    client = Client()
    user = match.seats.get(index=seat).user
    assert user
    client.force_login(user)
    return client


def address(match: Match, number: int = 1) -> str:
    return reverse("match-mistake", args=[match.slug, number])


def test_costly_choices_are_mistakes_in_match_order() -> None:
    """Points do not count, nor do losses that new playouts have not confirmed or that are within their error."""
    losses = [(3, 0, 0.02, 60), (4, 1, 0.09, 60), (5, 0, 0.0199, 60), (8, 0, 0.075, 60), (9, 0, 0.5, 0)]
    choices = [Choice(seq, seat, 30.0, "0-0", "0-1", loss, 0.4, checks, 0.02) for seq, seat, loss, checks in losses]
    report = Report(
        (
            *choices,
            Choice(10, 0, 5.0, "0-0", "0-0", 0.05, 0.4, 60, 0.02),
            Choice(11, 0, 5.0, "0-0", "0-1", 0.05, 0.4, 60, 0.06),
        ),
        (),
        (),
    )
    assert [choice.seq for choice in mistakes_of_seat(report, 0)] == [3, 8]
    assert [choice.seq for choice in mistakes_of_seat(report, 1)] == [4]


def test_moves_that_playouts_cannot_tell_from_the_best_are_solutions() -> None:
    """The move made is none, even if it seems as good. Gains are those over the move made."""
    choice = Choice(3, 0, 5.0, "made", "best", 0.2, 0.4, 60)
    rows = [("best", 0.0, 0.0), ("near", 0.02, 0.03), ("far", 0.2, 0.03), ("made", 0.01, 0.03)]
    moves = tuple(ComparedMove(move, Outcome(10 * behind, behind), error) for move, behind, error in rows)
    mistake = Mistake(choice, None, moves)
    assert mistake.solutions == ("best", "near")
    assert mistake.gain_of("best") == Outcome(0.1, 0.01)


@pytest.mark.parametrize("variant", TWO_GAMES)
def test_a_mistake_compares_moves_with_the_best_one(variant: str) -> None:
    match, report, seat = match_with_report(variant)
    choices = mistakes_of_seat(report, seat)
    assert choices
    for choice in choices[:2]:
        mistake = load_mistake(match.pk, choice)
        assert choice.chance_loss >= MIN_CHANCE_LOSS
        assert choice.best in mistake.solutions
        assert choice.made not in mistake.solutions
        by_move = {compared.move: compared for compared in mistake.moves}
        assert by_move[choice.best].behind == Outcome(0.0, 0.0)
        assert mistake.gain_of(choice.best) == Outcome(choice.loss, choice.chance_loss), "as the report says"
        rules = rules_for(variant)
        assert by_move.keys() <= {rules.move_text(move) for move in rules.legal_moves(mistake.position)}
    assert load_mistake(match.pk, choice) == mistake


@pytest.mark.parametrize("variant", TWO_GAMES)
def test_a_better_move_is_found_without_scripts_and_remembered(variant: str) -> None:
    match, report, seat = match_with_report(variant)
    choice, client = mistakes_of_seat(report, seat)[0], client_of(match, seat)
    number = len(mistakes_of_seat(report, seat))
    html = client.get(address(match)).text
    assert f"Mistake 1 of {number}" in html
    again = client.post(address(match), {"move": choice.made}, follow=True).text
    assert "There is a better move." in again
    assert "0 fixed" in again
    right = client.post(address(match), {"move": choice.best}, follow=True).text
    gain = load_mistake(match.pk, choice).gain_of(choice.best)
    assert f"It wins {round(100 * gain.chance)} more of 100 such matches than your move." in right
    table, words = selectors.read_table(match.pk), words_for(variant, "en")
    sentences = explanation(
        choice.facts, table, words, better=choice.best, worse=choice.made, reader=seat, is_better_played=True
    )
    assert sentences or variant != "kozel"
    for sentence in sentences:
        assert unbroken_tiles(sentence) in unescape(right)
    assert "1 fixed" in right
    if number > 1:
        assert address(match, 2) in right
    review = client.get(reverse("match-review", args=[match.slug])).text
    assert address(match) in review
    assert address(match) in client.get(reverse("match-moments", args=[match.slug])).text


def test_more_mistakes_than_fit_side_by_side_are_counted_and_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    match, report, seat = match_with_report("kozel")
    client, choices = client_of(match, seat), mistakes_of_seat(report, seat)
    assert "lesson-dots" in client.get(address(match)).text
    monkeypatch.setattr("games.puzzles.mistake_views.mistakes_of_seat", lambda _report, _seat: choices * 11)
    html = client.get(address(match)).text
    assert f"Mistake 1 of {11 * len(choices)}" in html
    assert "lesson-dots" not in html


@pytest.mark.parametrize("variant", offered_variants())
def test_unsolved_mistake_hides_the_answer_and_hidden_tiles(variant: str) -> None:
    match, report, seat = match_with_report(variant)
    client = client_of(match, seat)
    for number, choice in list(enumerate(mistakes_of_seat(report, seat), 1))[:3]:
        page = client.get(address(match, number)).text
        mistake = Mistake(choice, record.load_state(match.pk, choice.seq - 1), ())  # without the costly playouts
        assert told(page, mistake) == []
        assert "What each move is worth" not in page


def test_planted_hand_is_found() -> None:
    match, report, seat = match_with_report("kozel")
    mistake = load_mistake(match.pk, mistakes_of_seat(report, seat)[0])
    other = next(hand for index, hand in enumerate(mistake.position.hands) if index != seat and hand)
    assert told(f'<use href="#s{tile_text(other[0]).replace("-", "")}"/>', mistake)


def told(page: str, mistake: Mistake) -> list[str]:
    """Return the tiles that the player could not see and that the page draws."""
    hands, seat = mistake.position.hands, mistake.choice.seat
    laid = mistake.view.round
    seen = {tile_text(tile) for tile in (*hands[seat], *(play.tile for play in laid.plays))}
    seen |= {place.partition("=")[2] for place in laid.start}  # a set of Rytmino has tiles twice
    hidden = {tile_text(tile) for index, hand in enumerate(hands) if index != seat for tile in hand} - seen
    assert hidden
    body = page.partition("</defs>")[2] or page
    marks = ('id="h{}"', *('"#' + way + '{}"' for way in "sudlr"))
    return [tile for tile in hidden if any(m.format(t) in body for m in marks for t in (tile, tile.replace("-", "")))]


def test_mistakes_are_private_and_need_a_finished_match(ann: User) -> None:
    match, report, seat = match_with_report("kozel")
    stranger: Any = Client()
    assert stranger.get(address(match)).status_code == 404
    stranger.force_login(ann)
    assert stranger.get(address(match)).status_code == 404
    assert address(match) not in stranger.get(reverse("match-review", args=[match.slug])).text
    client = client_of(match, seat)
    count = len(mistakes_of_seat(report, seat))
    assert client.get(address(match, count)).status_code == 200
    for number in (0, count + 1):
        assert client.get(address(match, number)).status_code == 404
    Match.objects.filter(pk=match.pk).update(status=Match.Status.RUNNING)
    assert client.get(address(match)).status_code == 404


@pytest.mark.parametrize("move", ["nonsense", "9-9 left", "x" * 5000, "\u0000"])
def test_invalid_answers_are_refused_and_not_counted(move: str) -> None:
    match, _report, seat = match_with_report("kozel")
    page = client_of(match, seat).post(address(match), {"move": move}, follow=True)
    assert page.status_code in (200, 400)
    assert "1 fixed" not in page.text
