"""The proof of daily boards: nothing before the close, and both verifiers accept it and refuse every change."""

from __future__ import annotations

import copy
import io
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.test import Client

from games.bots.levels import LEVELS
from games.fair_dealing.texts import CHECK_TEXTS
from games.models import BoardDay
from games.services import board_days
from games.services.board_days import play_next_board
from games.tournaments.core.day_proof import verify_day
from games.tournaments.core.duplicate import entropy
from tests.engine.verifiers import run_program, run_script
from tests.games.daily_boards import days
from tests.games.daily_boards.days import NOON, ONE_DAY, VARIANT, account, close, open_today, play_boards, play_through

pytestmark = [pytest.mark.django_db, pytest.mark.seed(1)]
PROOF, CHECK = (f"/daily/{VARIANT}/2026-11-28/{page}" for page in ("proof.json", "check/"))


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = {level: [10 * number, 0, 10, 5] for number, level in enumerate(LEVELS)}
    monkeypatch.setattr(days, "scores_of_levels", lambda _start, _secret, _seat: scores)


@pytest.fixture
def day() -> BoardDay:
    """An open day on which two people play, after a day on which one of them gave a nonce."""
    ann, ben = account("Ann"), account("Ben")
    with time_machine.travel(NOON - ONE_DAY, tick=False) as clock:
        open_today(now=NOON - ONE_DAY)
        for user, nonce in ((ann, "nonce of Ann"), (ben, "")):
            play_through(play_next_board(user=user, variant=VARIANT, now=NOON - ONE_DAY, nonce=nonce))
        clock.move_to(NOON)
        day = open_today()
        play_boards(ann, 2, NOON)
        play_boards(ben, 1, NOON)
    return day


def closed_proof(day: BoardDay) -> dict[str, Any]:
    close(day, NOON + timedelta(hours=13))
    return dict(Client().get(PROOF).json())


def test_an_open_day_shows_its_commitment_alone(day: BoardDay) -> None:
    proof = Client().get(PROOF)
    assert set(proof.json()) == {"format", "kind", "variant", "date", "commitment", "announced_at"}
    assert proof.json()["commitment"] == day.commitment
    assert Client().get(f"{PROOF}?set=2").status_code == Client().get(CHECK).status_code == 404
    for secret in (day.secret, day.entropy, "nonce of Ann"):
        assert secret.encode() not in proof.content
    code, output = run_program(proof.json())
    assert (code, output.splitlines()[0]) == (2, "day_open")


def test_both_verifiers_accept_the_proof_of_a_closed_day(day: BoardDay) -> None:
    proof = closed_proof(day)
    assert proof["nonces"] == ["nonce of Ann", ""]
    assert proof["ranked_entrants"] == 2
    assert proof["entropy"] == entropy(["nonce of Ann", ""])
    assert [record["events"][0].get("first", 1) for record in proof["boards"]] == [1, 2]
    assert verify_day(proof) == []
    code, output = run_program(proof)
    assert code == 0
    assert output.splitlines() == [*(f"not_played {number}" for number in range(3, 9)), "FAIR: fair 2"]
    call_command("replay_matches", "--strict", stdout=io.StringIO())
    BoardDay.objects.filter(pk=day.pk).update(nonces=["nonce of Ann"])
    with pytest.raises(CommandError):
        call_command("replay_matches", "--strict", stdout=io.StringIO())
    page = Client().get(CHECK).text
    assert f'data-record="{PROOF}?set=1"' in page
    with time_machine.travel(NOON + ONE_DAY, tick=False):
        assert f'href="{CHECK}"' in Client().get(f"/daily/{VARIANT}/2026-11-28/").text


def change(proof: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a proof in which one thing is wrong."""
    other = copy.deepcopy(proof)
    start = other["boards"][0]["events"][0]
    changes: dict[str, Any] = {
        "day_secret": lambda: other.update(secret="0" * 64),
        "day_entropy": other["nonces"].reverse,
        "day_sets": lambda: other["sets"].append(f"daily-{VARIANT}-2026-11-28-2"),
        "more_ranked_than_entrants": lambda: other.update(ranked_entrants=3),
        "other_day": lambda: start.update(source=f"daily-{VARIANT}-2026-11-27-1"),
        "key_of_round": lambda: start.update(first=3),
    }
    changes[name]()
    return other


def test_both_verifiers_refuse_every_change(day: BoardDay) -> None:
    proof = closed_proof(day)
    names = ("day_secret", "day_entropy", "day_sets", "more_ranked_than_entrants", "other_day", "key_of_round")
    changed = [change(proof, name) for name in names]
    for name, data, answer in zip(names, changed, run_script("verdicts.mjs", changed), strict=True):
        assert answer["verdict"] == "unfair", name
        finding_of_change = "day_sets" if name == "more_ranked_than_entrants" else name
        assert finding_of_change in [finding[0] for finding in answer["findings"]]
        assert all(finding[0] in CHECK_TEXTS for finding in answer["findings"])
        assert verify_day(data) != [], name


def test_a_day_without_nonces_proves_less(day: BoardDay) -> None:
    BoardDay.objects.filter(pk=day.pk).update(nonces=["", ""])
    (answer,) = run_script("verdicts.mjs", [closed_proof(day) | {"boards": [], "entropy": entropy(["", ""])}])
    assert answer["verdict"] == "limited"


def test_every_set_has_a_proof(day: BoardDay) -> None:
    closed_proof(day)
    assert Client().get(f"{PROOF}?set=2").status_code == 404
    assert board_days.sources_of(day) == [Client().get(f"{PROOF}?set=1").json()["set"]]
