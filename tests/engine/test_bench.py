"""The bench plays programs against the levels, and says what is wrong with them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from games.bots import choose_move
from games.bots.levels import LEVELS, level_ratings
from games.engine import bench
from games.engine.bench import (
    BenchError,
    Program,
    estimate_rating,
    level_player,
    play_match,
)
from games.engine.variants import registry, rules_for
from games.engine.view import view_for
from tests.engine.positions import somewhere

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
RANDOM_BOT = [sys.executable, str(EXAMPLES / "random_bot.py")]
HEAVY_BOT = ["node", str(EXAMPLES / "heavy_bot.mjs")]
ENGINE_BOT = [sys.executable, str(EXAMPLES / "engine_bot.py"), "beginner"]
KOZEL = rules_for("kozel")
KEY = "00" * 32


def play_program(program: Program, variant: str) -> float:
    rules = rules_for(variant)
    return play_match(rules, (program.move, level_player(rules, "beginner", "1")), KEY)


@pytest.mark.parametrize("command", [RANDOM_BOT, HEAVY_BOT, ENGINE_BOT], ids=["random", "heavy", "engine"])
def test_examples_play_every_game(command: list[str]) -> None:
    with Program(command) as program:
        assert all(play_program(program, variant) in (0, 0.5, 1) for variant in registry())


def test_engine_bot_moves_like_its_level() -> None:
    with Program(ENGINE_BOT) as program:
        for variant in registry():
            rules = rules_for(variant)
            for number in range(0, 40, 4):
                state = somewhere(rules, number, 2, number // 2)
                seat = state.round.to_move
                assert seat is not None
                answer = program.move(state, seat, is_turn=True)
                assert answer == choose_move(view_for(rules, state, seat), "beginner", program.version)


CROOKED_BOT = """
import json, sys
for line in sys.stdin:
    position = json.loads(line)
    if position["view"]["legal"]:
        print(sys.argv[1].replace("VERSION", str(position["version"])), flush=True)
"""


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("hello", "Expected"),
        ('{"move": 7}', "Expected"),
        ('{"version": 77, "move": "6-4"}', "Expected a move for version"),
        ('{"version": VERSION, "move": "draw"}', "kozel.must_play"),
        ('{"version": VERSION, "move": "9-9"}', "Legal moves"),
    ],
)
def test_bad_answers_are_explained(answer: str, message: str) -> None:
    with Program([sys.executable, "-c", CROOKED_BOT, answer]) as program, pytest.raises(BenchError, match=message):
        play_match(KOZEL, (program.move, program.move), KEY)


def test_program_that_ends_or_sleeps_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with Program([sys.executable, "-c", ""]) as program, pytest.raises(BenchError, match="ended"):
        play_program(program, "kozel")
    monkeypatch.setattr(bench, "MOVE_SECONDS", 0.1)
    with Program(["sleep", "60"]) as program, pytest.raises(BenchError, match="did not move"):
        play_program(program, "kozel")
    with pytest.raises(BenchError, match="cannot be started"):
        Program(["./no-such-bot"])


def test_rating_by_hand() -> None:
    """Three of four is 2 to the power of 317/200 to one: 200 * log2(3) = 317 points more."""
    results = {1500.0: [1.0, 1.0, 1.0, 0.0] * 1000}
    assert estimate_rating(results).points == pytest.approx(1500 + 317, abs=1)
    both = {1400.0: [1.0, 0.0] * 500, 1600.0: [1.0, 0.0] * 500}
    assert estimate_rating(both).points == pytest.approx(1500, abs=1)


def test_levels_have_rising_ratings() -> None:
    for variant in registry():
        ratings = level_ratings(variant)
        assert list(ratings) == list(LEVELS)
        assert ratings["steady"] == 1500
        assert ratings["beginner"] < ratings["master"]


def test_command_line_refuses_what_it_cannot_do(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--game", "chess"], [], ["--matches", "0", "bot"], ["--levels", "bot"]):
        with pytest.raises(SystemExit):
            bench.main(words)
    assert "usage" in capsys.readouterr().err
