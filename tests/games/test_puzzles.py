"""Puzzles: one a day for each game, found by the bots, solved without scripts and without an account."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.test import Client

from games.engine.evolve import fold
from games.engine.playout import Playout
from games.engine.variants import rules_for
from games.models import Match, Puzzle, PuzzleAttempt
from games.puzzles import SOLVER, daily, first, from_data, to_data
from games.puzzles.finding import CERTAIN, MARGIN, self_play
from games.rendering.pieces import key
from games.words import offered
from tests.engine import corpus
from tests.games import tables
from tests.games.finished import finished

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 12, 12, tzinfo=UTC)
DAY = timedelta(days=1)
KOZEL = "/puzzles/kozel/"


def of_today(variant: str = "kozel") -> Puzzle:
    found = daily.of_day(variant, NOON)
    assert found is not None
    return found


@pytest.mark.stack
@pytest.mark.parametrize("variant", offered())
def test_each_game_begins_with_fifty_each_with_one_clearly_best_move(variant: str) -> None:
    of_today(variant)
    rows = Puzzle.objects.filter(variant=variant)
    assert list(rows.order_by("number").values_list("number", flat=True)) == list(range(1, 51))
    for row in rows:
        puzzle = from_data(row.data)
        assert puzzle.samples == 384
        assert puzzle.margin >= max(MARGIN, CERTAIN * puzzle.error)
        legal = [rules_for(variant).move_text(move) for move in puzzle.view.legal]
        assert sorted(each.move for each in puzzle.moves) == sorted(legal)
        assert puzzle.position.round.to_move == SOLVER
        assert [each.value for each in puzzle.moves] == sorted((each.value for each in puzzle.moves), reverse=True)
        assert to_data(puzzle)["events"][0][1].get("match", "") == ""


@pytest.mark.parametrize("variant", ["kozel", "all_fives"])
def test_the_same_seed_finds_the_same_ones(variant: str) -> None:
    found, again = (list(islice(self_play(variant, "twice"), 2)) for _ in range(2))
    assert found == again
    assert [from_data(to_data(puzzle)).moves for puzzle in found] == [puzzle.moves for puzzle in found]


@pytest.mark.stack
def test_each_day_has_the_next_one_and_when_there_is_none_the_oldest_again() -> None:
    daily.add("kozel", first("kozel")[:2])
    found = [daily.of_day("kozel", NOON + day * DAY) for day in (0, 0, 1, 2)]
    assert [puzzle.number if puzzle else 0 for puzzle in found] == [1, 1, 2, 1]


@pytest.mark.stack
def test_one_that_has_not_had_its_day_is_not_found(client: Client) -> None:
    today = of_today()
    assert client.get(f"{KOZEL}{today.number}/").status_code == 200
    for path in (f"{KOZEL}{today.number + 3}/", f"{KOZEL}999/", "/puzzles/chess/", "/puzzles/chess/1/"):
        assert client.get(path).status_code == 404


@pytest.mark.stack
def test_it_is_solved_without_an_account_and_without_scripts(client: Client) -> None:
    row = of_today()
    best, *others = from_data(row.data).moves
    path = f"{KOZEL}{row.number}/"
    assert "Which move is worth most" in client.get(path).text
    wrong = client.post(path, {"move": others[0].move}, follow=True)
    assert "There is a move that is worth much more." in wrong.text
    right = client.post(path, {"move": best.move}, follow=True)
    assert f"It is worth {row.data['margin']} points more" in right.text
    assert "384 possible positions" in right.text
    assert not PuzzleAttempt.objects.exists()
    for nonsense in ("9-9 left", "<b>", "", "x" * 5000):
        assert client.post(path, {"move": nonsense}, follow=True).status_code == 200


@pytest.mark.stack
def test_before_it_is_solved_the_page_tells_neither_the_answer_nor_a_hidden_tile(client: Client) -> None:
    row = of_today()
    puzzle = from_data(row.data)
    page = client.get(f"{KOZEL}{row.number}/").text
    assert str(row.data["margin"]) not in page
    assert "What each move is worth" not in page
    hands = puzzle.position.hands
    hidden = {key(tile) for hand in (*hands[:SOLVER], *hands[SOLVER + 1 :]) for tile in hand}
    assert hidden
    assert not [tile for tile in hidden if f'id="h{tile}"' in page or f'#s{tile}"' in page]


@pytest.mark.stack
def test_tries_are_counted_until_it_is_solved_and_days_in_a_row_make_a_streak(client: Client) -> None:
    ann = tables.person("Ann")
    client.force_login(ann)
    with time_machine.travel(NOON, tick=False) as clock:
        for day in range(2):
            row = daily.of_day("kozel", NOON + day * DAY)
            assert row is not None
            best, *others = from_data(row.data).moves
            path = f"{KOZEL}{row.number}/"
            for move in (others[0].move, best.move, others[-1].move):
                page = client.post(path, {"move": move}, follow=True).text
            assert PuzzleAttempt.objects.get(puzzle=row).tries == 2
            page = client.get(f"{path}?move={best.move}").text
            assert "solved in 2 tries." in page
            clock.shift(DAY)
        assert daily.streak("kozel", ann.pk, NOON + DAY) == 2
        assert daily.streak("kozel", ann.pk, NOON + 2 * DAY) == 2
        assert daily.streak("kozel", ann.pk, NOON + 3 * DAY) == 0
        assert "2 days in a row" in client.get("/puzzles/").text


@pytest.mark.stack
def test_the_command_looks_in_a_file_of_records(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call_command("find_puzzles", "kozel", "--records", str(corpus.PATH), "--count", "2")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert all("384 samples" in line for line in lines[:-1])
    assert Puzzle.objects.count() == 2
    file = tmp_path / "matches.jsonl"
    for content in ("{}", "dominoes match 2\nnonsense", b"\xff"):
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(CommandError):
            call_command("find_puzzles", "kozel", "--records", str(file))


@pytest.mark.stack
def test_the_command_looks_in_public_matches_that_are_over(capsys: pytest.CaptureFixture[str]) -> None:
    people = [tables.person(f"Person {seat}") for seat in range(2)]
    events = Playout(rules_for("kozel"), 2, {}, "found").run()
    over = fold(events).match_over
    assert over is not None
    match = finished(people, variant="kozel", places=over.places, events=events, visibility="link")
    call_command("find_puzzles", "kozel")
    assert capsys.readouterr().out.endswith("0 of them are new.\n")
    Match.objects.filter(pk=match.pk).update(visibility="public")
    call_command("find_puzzles", "kozel", "--count", "2")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1
    assert lines[-1] == f"{Puzzle.objects.count()} of them are new."
    assert all("384 samples" in line for line in lines[:-1])
    assert not any(match.slug in str(row.data) or "Person" in str(row.data) for row in Puzzle.objects.all())
    call_command("find_puzzles", "kozel", "--count", "2")
    assert capsys.readouterr().out.endswith("0 of them are new.\n")
