"""The steps of a round in one answer: each is what its page shows, for those who may see it, kept by the browser."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Match
from games.review import steps
from tests.games import tables
from tests.games.review.test_steps import match_steps_of, page, sitting, text
from tests.games.reviewed import TWO_GAMES, import_recording, play_random_moves, recording_files, state_at, stop_match

ZONES = ("status", "seats", "board", "result", "review-hand", "review-when", "review-scores", "chances")


def answered(match: Match, client: Client | None = None, headers: dict[str, str] | None = None, **query: Any) -> Any:
    return (client or Client()).get(reverse("match-review-round", args=[match.slug]), query, headers=headers)


def seen_as(perspective: str) -> dict[str, Any]:
    return {"as": perspective}


def whole(answer: Any) -> list[dict[str, str]]:
    """Return the frames, each with all that is shown after it."""
    zones: dict[str, str] = {}
    return [zones := zones | frame for frame in answer.json()["frames"]]


@pytest.mark.parametrize("variant", TWO_GAMES)
def test_frame_equals_the_page_of_its_step(variant: str) -> None:
    match = import_recording(recording_files(variant)[0])
    match_steps = match_steps_of(match)
    for chosen in ("open", "public", "0"):
        within = match_steps.steps_of_round(match_steps.last_number)
        frames = whole(answered(match, at=match_steps.last_number, **seen_as(chosen)))
        assert len(frames) == len(within)
        for step, frame in list(zip(within, frames, strict=True))[::5]:
            html = page(match, at=step.number, **seen_as(chosen)).content.decode()
            assert [name for name in ZONES if frame[name] not in html] == []
            assert ("Ask the bot" in frame["analysis"]) == ("Ask the bot" in html)


def test_response_has_the_position_of_its_round_and_the_actors() -> None:
    match = play_random_moves("kozel", 5)
    data = answered(match, at=3).json()
    match_steps = match_steps_of(match)
    assert (data["first"], data["last"], data["running"], data["rounds"]) == (1, match_steps.last_number, True, [1])
    assert data["seats"] == [None, *(step.seat for step in match_steps.steps[1:])]
    assert not any("analysis" in frame for frame in data["frames"])
    assert answered(stop_match(match), at=3).json()["running"] is False


def test_responses_contain_only_differences() -> None:
    [path] = [path for path in recording_files("kozel") if path.stem == "three-all-goats"]
    match = import_recording(path)
    frames = answered(match, at=40).json()["frames"]
    assert all("review-round" in frame and "review-scores" in frame for frame in frames[:1])
    assert not any("review-round" in frame or "review-scores" in frame for frame in frames[1:-1])
    sent = answered(match, at=40, headers={"Accept-Encoding": "gzip"})
    assert sent.headers["Content-Encoding"] == "gzip"
    assert len(sent.content) < 20_000


def test_a_browser_that_has_the_steps_gets_them_only_if_they_differ() -> None:
    match = stop_match(play_random_moves("kozel", 5))
    first = answered(match, at=2)
    assert first.headers["Cache-Control"] == "private, no-cache"
    again = answered(match, at=3, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    match.seats.filter(index=0).update(name="Zoe", user=None)
    named = answered(match, at=2, headers={"If-None-Match": first.headers["ETag"]})
    assert named.status_code == 200
    assert "Zoe" in whole(named)[0]["seats"]


def test_other_perspectives_are_refused_during_the_match() -> None:
    match = play_random_moves("kozel", 5)
    seated, outside = sitting(match, 0), tables.person("Outside")
    spectator = tables.browser_of(outside)
    assert answered(match, seated, at=1, **seen_as("0")).status_code == 200
    for client, chosen in ((seated, "1"), (seated, "open"), (spectator, "0"), (Client(), "open")):
        assert answered(match, client, at=1, **seen_as(chosen)).status_code == 404
    for at in ("0", "x", str(match_steps_of(match).last_number + 1)):
        refused = answered(match, seated, at=at)
        assert refused.status_code == 404
        assert "There is no such step" in refused.json()["error"]


def test_positions_read_together_equal_single_reads() -> None:
    match = import_recording(recording_files("kozel")[0])
    match_steps = match_steps_of(match)
    for first in match_steps.round_starts().values():
        within = match_steps.steps_of_round(first)
        one_by_one = [state_at(match.pk, step) for step in within]
        assert list(steps.states_at(match.pk, within)) == one_by_one


def test_a_share_link_keeps_the_perspective_once_everybody_may_choose_it() -> None:
    match = play_random_moves("kozel", 5)
    own = text(page(match, sitting(match, 0), at=2, **seen_as("0")))
    assert f'/match/{match.slug}/review/?at=2"' in own
    assert f'/match/{match.slug}/review/?at=2&as=0"' in text(page(stop_match(match), at=2, **seen_as("0")))
