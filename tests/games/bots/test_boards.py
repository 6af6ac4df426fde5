"""Bots on boards: the numbers of worked examples, and the same moves in every process."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from games.bots.boards import probe_board
from games.bots.levels import LEVELS
from games.engine.decide import new_match
from games.engine.variants import rules_for
from tests.games.bots.choices import CHOICES_OF_GAME, CORPUS, SECRET, corpus_text, moves_of_board
from tests.tournaments.test_shares import BOARDS, ENTROPY

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("variant", BOARDS)
def test_five_levels_score_as_in_the_examples(variant: str) -> None:
    rules = rules_for(variant)
    start = new_match(rules, 4, rules.one_round, source="daily-test", entropy=ENTROPY)
    start = replace(start, rules_version=1)  # the examples of Rytmino have the starting pair of version 1
    assert [tuple(scores) for scores in probe_board(start, SECRET, 0, list(LEVELS))] == BOARDS[variant][0]


def test_choices_change_only_with_the_version_of_the_bots() -> None:
    assert CHOICES_OF_GAME * 5 == 500
    assert corpus_text() == CORPUS.read_text(), "raise BOTS_VERSION and run python -m tests.games.bots.choices"


def test_bots_choose_alike_in_processes_with_other_hashes_and_under_load() -> None:
    own = moves_of_board(rules_for("rytmino"), 4, 7, ["steady"] * 4)[0]
    code = (
        "from games.engine.variants import rules_for; from tests.games.bots.choices import moves_of_board;"
        "print(moves_of_board(rules_for('rytmino'), 4, 7, ['steady'] * 4)[0])"
    )
    load = multiprocessing.get_context("spawn").Process(target=burn)
    load.start()
    try:
        for seed in ("1", "2"):
            environment = os.environ | {"PYTHONHASHSEED": seed}
            output = subprocess.run(
                [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
            )
            assert output.stdout.strip() == own
    finally:
        load.kill()
        load.join()


def burn() -> None:
    """Keep a processor busy until the process is killed."""
    while True:
        sum(range(10_000))
