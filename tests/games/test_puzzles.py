"""Puzzles: one a day for each game, found by the bots, solved without scripts and without an account."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.test import Client

from games.bots.levels import LEVELS, Level
from games.engine.evolve import fold
from games.engine.playout import Playout
from games.engine.variants import rules_for
from games.models import Match, Puzzle, PuzzleAttempt, PuzzleDay
from games.puzzles import SOLVER_SEAT, daily, first_puzzles, puzzle_from_data, puzzle_to_data, search
from games.puzzles import Puzzle as NewPuzzle
from games.puzzles.judging import JUDGES, MIN_MARGIN_POINTS, MIN_SAMPLES, MIN_STANDARD_ERRORS, Margin, judge_solution
from games.puzzles.search import puzzle_from
from games.rendering.pieces import tile_key
from games.words import offered_variants
from tests.engine import corpus
from tests.games import tables
from tests.games.finished import create_finished_match

NOON = datetime(2026, 3, 12, 12, tzinfo=UTC)
DAY = timedelta(days=1)
KOZEL = "/puzzles/kozel/"


def puzzle_day(variant: str = "kozel", now: datetime = NOON) -> PuzzleDay:
    row = daily.puzzle_of_day(variant, now)
    assert row is not None
    return row


def url(row: PuzzleDay) -> str:
    return f"/puzzles/{row.variant}/{row.day}/"


@pytest.fixture
def quick_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bots judge that hardly look ahead."""
    monkeypatch.setattr(search, "JUDGES", {"strong": Level(playout_factor=0.1)})


@pytest.fixture
def frozen_noon() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def short_puzzle() -> NewPuzzle:
    """Return a shipped puzzle whose round has few moves left, so that it is judged quickly."""
    return max(first_puzzles("gamezz"), key=lambda puzzle: len(puzzle.position.round.plays))


@pytest.mark.parametrize("variant", [game for game in offered_variants() if first_puzzles(game)])
def test_shipped_puzzles_have_one_best_move(variant: str) -> None:
    puzzle_day(variant)
    rows = Puzzle.objects.filter(variant=variant)
    numbers = list(rows.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(first_puzzles(variant)) + 1))
    assert len(numbers) >= daily.MIN_UNUSED_PUZZLES
    for row in rows:
        puzzle = puzzle_from_data(row.data)
        assert puzzle.samples >= MIN_SAMPLES
        assert puzzle.margin >= max(MIN_MARGIN_POINTS, MIN_STANDARD_ERRORS * puzzle.error)
        legal = [rules_for(variant).move_text(move) for move in puzzle.view.legal]
        assert sorted(move.move for move in puzzle.moves) == sorted(legal)
        assert puzzle.position.round.to_move == SOLVER_SEAT
        values = [move.value for move in puzzle.moves]
        assert values == sorted(values, reverse=True)
        assert puzzle_to_data(puzzle)["events"][0][1].get("match", "") == ""


def test_the_same_seed_gives_the_same_puzzle() -> None:
    puzzle = short_puzzle()
    first, again = (puzzle_from(puzzle.position, puzzle.events, Random("twice")) for _ in range(2))
    assert first == again
    assert first
    assert first.moves[0].move == puzzle.moves[0].move
    assert puzzle_from_data(puzzle_to_data(first)).moves == first.moves


def test_a_move_that_both_judges_reject_is_no_solution() -> None:
    puzzle = short_puzzle()
    moves = {puzzle.view.rules.move_text(move): move for move in puzzle.view.legal}
    worst = moves[puzzle.moves[-1].move]
    for level in JUDGES.values():
        judged = judge_solution(puzzle.view, worst, puzzle.view.legal, level, Random("worst"), max_samples=60)
        assert not judged.holds
        assert judged.margin.points < 0


def test_judges_differ_only_in_the_share_of_random_moves() -> None:
    assert JUDGES["strong"] == LEVELS["strong"]
    assert [level.random_share for level in JUDGES.values()] == [0.0, 0.3]
    assert not any(level.random_share for level in LEVELS.values())


@pytest.mark.parametrize(
    ("margin", "is_clear", "is_too_small"),
    [
        (Margin(8.0, 2.0, 40), True, False),
        (Margin(7.9, 2.0, 40), False, False),
        (Margin(8.0, 0.0, 39), False, False),
        (Margin(3.0, 0.2, 40), True, True),
        (Margin(0.0, 0.0, 40), False, True),
        (Margin(-9.0, 2.0, 40), False, True),
    ],
)
def test_a_margin_is_clear_by_four_standard_errors(margin: Margin, is_clear: bool, is_too_small: bool) -> None:
    assert (margin.is_clear, margin.is_too_small) == (is_clear, is_too_small)


def test_check_names_puzzles_whose_solution_is_not_best(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = short_puzzle()
    daily.add_puzzles("gamezz", [puzzle, replace(puzzle, moves=puzzle.moves[::-1])])
    with pytest.raises(CommandError):
        call_command("check_puzzles", "--game", "gamezz", "--samples", "80")
    good, bad, summary = capsys.readouterr().out.splitlines()
    assert good.startswith(f"gamezz 1 {puzzle.moves[0].move}: strong ")
    assert "FAILED" not in good
    assert bad.startswith(f"gamezz 2 {puzzle.moves[-1].move}: strong -")
    assert bad.endswith("FAILED")
    assert summary.startswith("Puzzles checked: 2, failed: 1.")
    Puzzle.objects.filter(number=2).delete()
    call_command("check_puzzles", "--samples", "80")


@pytest.mark.stack
def test_unused_puzzles_come_first_then_the_one_whose_last_day_is_longest_ago() -> None:
    daily.add_puzzles("kozel", first_puzzles("kozel")[:2])
    numbers = [puzzle_day(now=NOON + day * DAY).puzzle.number for day in (0, 0, 1, 2, 3, 4)]
    assert numbers == [1, 1, 2, 1, 2, 1]


def test_reusing_a_puzzle_keeps_its_earlier_days(client: Client, frozen_noon: time_machine.Traveller) -> None:
    daily.add_puzzles("kozel", first_puzzles("kozel")[:1])
    days = [puzzle_day(now=NOON - 2 * DAY), puzzle_day(now=NOON - DAY), puzzle_day()]
    assert {row.puzzle.number for row in days} == {1}
    page = client.get(KOZEL).text
    assert [f'href="{url(row)}">{row.day:%-d %B %Y}' in page for row in days] == [True, True, False]
    assert "10 March 2026" in client.get(url(days[0])).text


@pytest.mark.parametrize("pool", [3, 50, 400])
def test_solving_every_day_makes_a_streak_of_that_many_days(pool: int) -> None:
    Puzzle.objects.bulk_create(Puzzle(variant="kozel", number=number, data={}) for number in range(1, pool + 1))
    ann = tables.person("Ann")
    streaks = []
    for day in range(60):
        now = NOON + day * DAY
        daily.count_attempt(puzzle_day(now=now), ann.pk, solved=True, now=now)
        streaks.append(daily.streak("kozel", ann.pk, now))
    assert streaks == list(range(1, 61))


def test_a_puzzle_solved_within_an_hour_after_its_day_counts_for_its_day() -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    midnight = datetime(2026, 3, 13, tzinfo=UTC)
    yesterday, today = puzzle_day(now=midnight - DAY), puzzle_day(now=midnight)
    daily.count_attempt(yesterday, ann.pk, solved=True, now=midnight + timedelta(minutes=59))
    daily.count_attempt(today, ann.pk, solved=True, now=midnight + timedelta(minutes=59))
    assert daily.streak("kozel", ann.pk, midnight + timedelta(hours=2)) == 2
    daily.count_attempt(yesterday, ben.pk, solved=True, now=midnight + timedelta(hours=1))
    assert daily.streak("kozel", ben.pk, midnight + timedelta(hours=2)) == 0


def test_pages_say_when_the_next_puzzle_comes(client: Client, frozen_noon: time_machine.Traveller) -> None:
    frozen_noon.shift(timedelta(hours=8, minutes=30))
    assert "New puzzles in 3\xa0hours, 30\xa0minutes." in client.get(KOZEL).text
    today, yesterday = puzzle_day(), puzzle_day(now=NOON - DAY)
    assert "next one in 3\xa0hours, 30\xa0minutes" in client.get(url(today)).text
    assert "next one in" not in client.get(url(yesterday)).text


def test_the_log_warns_before_unused_puzzles_run_out(caplog: pytest.LogCaptureFixture) -> None:
    Puzzle.objects.bulk_create(Puzzle(variant="kozel", number=number, data={}) for number in range(1, 9))
    for day in range(3):
        puzzle_day(now=NOON + day * DAY)
        assert ("few_unused_puzzles" in caplog.text) is (day == 2)


def test_a_day_without_a_puzzle_is_not_found(client: Client, frozen_noon: time_machine.Traveller) -> None:
    today = puzzle_day()
    assert client.get(url(today)).status_code == 200
    for day in (today.day + DAY, today.day - DAY, "20260312", "2026-W11-4", "2026-13-01", "0", "x" * 300):
        assert client.get(f"{KOZEL}{day}/").status_code == 404
    for path in (f"/puzzles/chess/{today.day}/", "/puzzles/chess/"):
        assert client.get(path).status_code == 404


def test_it_is_solved_without_an_account_and_without_scripts(client: Client) -> None:
    row = puzzle_day()
    best, *rest = puzzle_from_data(row.puzzle.data).moves
    assert "Find the best move" in client.get(url(row)).text
    wrong = client.post(url(row), {"move": rest[0].move}, follow=True)
    assert "There is a move that is worth much more." in wrong.text
    right = client.post(url(row), {"move": best.move}, follow=True)
    assert f"It is worth {row.puzzle.data['margin']} points more" in right.text
    assert f"{row.puzzle.data['samples']} possible deals" in right.text
    assert not PuzzleAttempt.objects.exists()
    for nonsense in ("9-9 left", "<b>", "", "x" * 5000):
        assert client.post(url(row), {"move": nonsense}, follow=True).status_code == 200


def test_unsolved_puzzle_hides_the_answer_and_hidden_tiles(client: Client) -> None:
    row = puzzle_day()
    puzzle = puzzle_from_data(row.puzzle.data)
    page = client.get(url(row)).text
    assert str(row.puzzle.data["margin"]) not in page
    assert "What each move is worth" not in page
    hands = puzzle.position.hands
    hidden = {tile_key(tile) for hand in (*hands[:SOLVER_SEAT], *hands[SOLVER_SEAT + 1 :]) for tile in hand}
    assert hidden
    assert not [tile for tile in hidden if f'id="h{tile}"' in page or f'#s{tile}"' in page]


@pytest.mark.stack
def test_tries_are_counted_until_it_is_solved_and_days_in_a_row_make_a_streak(
    client: Client, frozen_noon: time_machine.Traveller
) -> None:
    ann = tables.person("Ann")
    client.force_login(ann)
    for day in range(2):
        row = puzzle_day(now=NOON + day * DAY)
        best, *rest = puzzle_from_data(row.puzzle.data).moves
        for move in (rest[0].move, best.move, rest[-1].move):
            page = client.post(url(row), {"move": move}, follow=True).text
        assert PuzzleAttempt.objects.get(puzzle_day=row).tries == 2
        page = client.get(f"{url(row)}?move={best.move}").text
        assert "solved in 2 tries." in page
        frozen_noon.shift(DAY)
    assert daily.streak("kozel", ann.pk, NOON + DAY) == 2
    assert daily.streak("kozel", ann.pk, NOON + 2 * DAY) == 2
    assert daily.streak("kozel", ann.pk, NOON + 3 * DAY) == 0
    assert "2 days in a row" in client.get("/puzzles/").text


@pytest.mark.usefixtures("quick_judges")
def test_command_searches_a_file_of_records(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call_command("find_puzzles", "kozel", "--records", str(corpus.PATH), "--count", "1")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all("samples" in line for line in lines[:-1])
    assert Puzzle.objects.count() == 1
    file = tmp_path / "matches.jsonl"
    for content in ("{}", "dominoes match 2\nnonsense", b"\xff"):
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(CommandError):
            call_command("find_puzzles", "kozel", "--records", str(file))


@pytest.mark.usefixtures("quick_judges")
def test_command_searches_finished_public_matches(capsys: pytest.CaptureFixture[str]) -> None:
    people = [tables.person(f"Person {seat}") for seat in range(2)]
    events = Playout(rules_for("kozel"), 2, {}, "found").play_match()
    over = fold(events).match_over
    assert over is not None
    match = create_finished_match(people, variant="kozel", places=over.places, events=events, visibility="link")
    call_command("find_puzzles", "kozel")
    assert capsys.readouterr().out.endswith("0 of them are new.\n")
    Match.objects.filter(pk=match.pk).update(visibility="public")
    call_command("find_puzzles", "kozel", "--count", "2")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1
    assert lines[-1] == f"{Puzzle.objects.count()} of them are new."
    assert all("samples" in line for line in lines[:-1])
    assert not any(match.slug in str(row.data) or "Person" in str(row.data) for row in Puzzle.objects.all())
    call_command("find_puzzles", "kozel", "--count", "2")
    assert capsys.readouterr().out.endswith("0 of them are new.\n")
