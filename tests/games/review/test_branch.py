"""What if: a branch of a match that is over, which is nothing but its address."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games.engine.events import Drew, Passed, Played, RoundEnded, move_of
from games.engine.moves import Play
from games.engine.tiles import tile_text
from games.engine.variants import rules_for
from games.enums import BotLevel
from games.models import Match
from games.review import analysis, branch, steps
from games.review.match_steps import MatchSteps, Step
from games.words import offered_variants
from infrastructure.limit_settings import parse_place_limits, parse_rate_limits
from infrastructure.limits import limits
from tests.games.records.test_imported import as_json, upload
from tests.games.reviewed import choice_at, import_recording, play_random_moves, recording_files, state_at, stop_match


def recorded(variant: str) -> tuple[Match, MatchSteps, Step]:
    """Return a recorded match that was played to its end, and a step of its first round at which there is a choice."""
    paths = [path for path in recording_files(variant) if "stop" not in path.stem and "timeout" not in path.stem]
    match = import_recording(paths[0])
    match_steps = steps.load_match_steps(match.pk, match.version)
    return match, match_steps, next(step for step in match_steps.steps if choice_at(match.pk, step))


def record_from(match: Match, match_steps: MatchSteps, step: Step) -> list[str]:
    """Return the moves, in notation, that were made from a step to the end of its round."""
    events = [later.events[0] for later in match_steps.steps_of_round(step.number) if later.number > step.number]
    rules = rules_for(match.variant)
    return [rules.move_text(move_of(event)) for event in events if isinstance(event, Played | Drew | Passed)]


def address(match: Match, **parameters: object) -> str:
    """Return the address of a branch: ``moves`` may be a list."""
    query = {name: "~".join(value) if isinstance(value, list) else value for name, value in parameters.items()}
    return reverse("match-branch", args=[match.slug], query=query)


def text(response: Any) -> str:
    return unescape(response.content.decode())


def moves_at(url: str) -> list[str]:
    moves = parse_qs(urlsplit(url).query).get("moves", [""])[0]
    return moves.split("~") if moves else []


@pytest.mark.parametrize("variant", offered_variants())
def test_moves_of_the_match_reproduce_its_positions(variant: str) -> None:
    """Draws bring the same tiles, and at its end the round has brought the same points to each side."""
    match, match_steps, step = recorded(variant)
    moves = record_from(match, match_steps, step)
    begun = branch.start_branch(state_at(match.pk, step))
    assert begun
    line = begun.with_moves(moves)
    assert (line.refusal, list(line.moves)) == (None, moves)
    events = [event for later in match_steps.steps_of_round(step.number) for event in later.events]
    ended = next(event for event in events if isinstance(event, RoundEnded))
    assert line.view(len(moves), None, open_hands=False).round.over == ended
    html = text(Client().get(address(match, at=step.number, seat=0, moves=moves)))
    table = steps.table_at(match.pk, step)
    assert f"{table.people[0].name}" in html
    assert "In the match" in html
    assert 'id="branch-again"' in html


def test_reader_plays_every_seat_and_steps_both_ways(client: Client) -> None:
    match, _past, step = recorded("kozel")
    page = client.get(address(match, at=step.number, **{"as": "public"}))
    assert page.status_code == 200
    begun = branch.start_branch(state_at(match.pk, step))
    assert begun
    url, line = address(match, at=step.number, **{"as": "public"}), begun
    for _ in range(3):
        seat = line.to_move(len(line.moves))
        legal = line.view(len(line.moves), seat, open_hands=False).legal
        move = rules_for("kozel").move_text(legal[-1])
        answer = client.post(url, {"move": move})
        assert answer.status_code == 303
        url, line = answer["Location"], line.with_moves([move])
        assert moves_at(url) == list(line.moves)
    for number in range(4):
        html = text(client.get(f"{url}&to={number}"))
        seat = line.to_move(number)
        assert re.search(rf'south-{seat}"\s+data-seats="4"\s+data-viewer="{seat}"', html)
        assert f'<section id="hand" class="hand mine" data-viewer="{seat}"' in html
        assert f'</span> <span translate="no">{number} / 3</span></b>' in html
        assert f'?at={step.number}&as=public">Back to step {step.number}</a>' in html
    assert moves_at(client.post(f"{url}&to=0", {"move": line.moves[0]})["Location"]) == [line.moves[0]]


def test_without_a_script_choosing_a_tile_and_none_again_keeps_the_branch(client: Client) -> None:
    match, match_steps, step = recorded("kozel")
    moves = record_from(match, match_steps, step)
    begun = branch.start_branch(state_at(match.pk, step))
    assert begun
    line = begun.with_moves(moves)
    for number in range(len(moves)):
        plays = [
            move for move in line.view(number, line.to_move(number), open_hands=False).legal if isinstance(move, Play)
        ]
        twice = next((move for move in plays if [other.tile for other in plays].count(move.tile) > 1), None)
        if twice:
            break
    assert twice
    url = address(match, at=step.number, moves=moves, to=number)
    html = text(client.get(f"{url}&tile={tile_text(twice.tile)}"))
    form = html[html.index('<form id="choose"') : html.index('<button id="ask"')]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    again = text(client.get(reverse("match-branch", args=[match.slug]), fields | {"tile": ""}))
    assert f'</span> <span translate="no">{number} / {len(moves)}</span></b>' in again
    assert 'class="another"' not in again
    cancel = re.findall(r'class="another" href="([^"]*)"', html)
    assert f'</span> <span translate="no">{number} / {len(moves)}</span></b>' in text(client.get(cancel[0]))


def test_branch_begins_at_the_previous_step_with_a_move(client: Client) -> None:
    match, match_steps, _step = recorded("kozel")
    for number in (match_steps.last_number, sorted(match_steps.round_starts().values())[1] - 1):
        html = text(client.get(address(match, at=number)))
        assert '</span> <span translate="no">0 / 0</span></b>' in html
        assert f">Back to step {number}</a>" not in html


@pytest.mark.parametrize("variant", offered_variants())
def test_bots_answer_for_the_others_until_it_is_the_turn_of_the_reader(variant: str) -> None:
    match, _past, step = recorded(variant)
    begun = branch.start_branch(state_at(match.pk, step))
    assert begun
    seat = begun.to_move(0)
    assert seat is not None
    move = rules_for(variant).move_text(begun.view(0, seat, open_hands=False).legal[0])
    url = address(match, at=step.number, seat=seat, bots="steady")
    answers = [Client().post(url, {"move": move})["Location"] for _ in range(2)]
    assert answers[0] == answers[1]
    line = begun.with_moves(moves_at(answers[0]))
    assert (line.refusal, line.moves[0]) == (None, move)
    assert line.to_move(len(line.moves)) in (seat, None)
    assert seat not in [line.to_move(number) for number in range(1, len(line.moves))]
    html = text(Client().get(answers[0]))
    assert html.count('class="face-up') == (match.seat_count if line.to_move(len(line.moves)) is None else 0)
    assert text(Client().get(f"{answers[0]}&hands=open")).count('class="face-up') == match.seat_count


@pytest.mark.parametrize("level", BotLevel.values)
def test_bots_of_each_level_finish_the_round(level: str, client: Client) -> None:
    match, _past, step = recorded("kozel")
    response = client.post(address(match, at=step.number, bots=level), {"rest": ""}, follow=True)
    assert "in the match: " in text(response)
    assert "Let bots finish" not in text(response)


def test_bot_moves_are_shown_one_by_one(client: Client) -> None:
    match, _past, step = recorded("kozel")
    begun = branch.start_branch(state_at(match.pk, step))
    assert begun
    seat = begun.to_move(0) or 0
    move = rules_for("kozel").move_text(begun.view(0, seat, open_hands=False).legal[0])
    url = address(match, at=step.number, seat=seat, bots="beginner")
    answer = client.post(url, {"move": move}, headers={"HX-Request": "true"})
    assert answer["Location"].endswith("&to=1&play=on")
    response = client.get(answer["Location"], headers={"HX-Request": "true"})
    assert "data-plays" in text(response)
    assert response["HX-Replace-Url"] == answer["Location"].removesuffix("&play=on")


def test_a_round_that_was_stopped_in_the_match_is_played_to_its_end_here(client: Client) -> None:
    match = stop_match(play_random_moves("kozel", 6))
    match_steps = steps.load_match_steps(match.pk, match.version)
    response = client.post(address(match, at=match_steps.last_number, bots="casual"), {"rest": ""}, follow=True)
    assert "In the match this round was not finished." in text(response)


def test_illegal_move_is_explained_and_the_branch_stays(client: Client) -> None:
    match, match_steps, step = recorded("kozel")
    moves = record_from(match, match_steps, step)
    for wrong in ("9-9 left", "x" * 5000, "<b>", "٣-١", "draw", "6-6 left"):
        answer = client.get(address(match, at=step.number, moves=[*moves[:2], wrong, *moves[3:]]))
        assert answer.status_code == 200
        assert '<div id="notice" class="notice-line" role="alert"><p>' in text(answer)
        assert '</span> <span translate="no">2 / 2</span></b>' in text(answer)
        refused = client.post(address(match, at=step.number, moves=moves[:4], to=2), {"move": wrong})
        assert refused.status_code == 200
        assert '<div id="notice" class="notice-line" role="alert"><p>' in text(refused)
        assert '</span> <span translate="no">2 / 4</span></b>' in text(refused)
        assert moves_at(refused["HX-Replace-Url"]) == moves[:4]


@pytest.mark.parametrize("wrong", [{"to": "9"}, {"to": "x"}, {"seat": "7"}, {"bots": "wizard"}, {"hands": "x"}])
def test_unreadable_move_is_explained_and_the_branch_stays(client: Client, wrong: dict[str, str]) -> None:
    match, match_steps, step = recorded("kozel")
    answer = client.get(address(match, at=step.number, moves=record_from(match, match_steps, step)[:3], **wrong))
    assert "The site did not understand that." in text(answer)
    assert '</span> <span translate="no">3 / 3</span></b>' in text(answer)


@pytest.mark.parametrize("query", [{"at": "0"}, {"at": "x"}, {"at": "9" * 40}, {"as": "9"}])
def test_unknown_step_has_an_error_page(client: Client, query: dict[str, str]) -> None:
    match, _past, _step = recorded("kozel")
    for answer in (client.get(address(match, **query)), client.post(address(match, **query), {"rest": ""})):
        assert answer.status_code == 404
        assert "There is nothing to review here" in text(answer)


def test_running_match_has_no_branch(client: Client, nobody_answers: Callable[[], int]) -> None:
    match = play_random_moves("kozel", 4)
    for answer in (client.get(address(match, at=2)), client.post(address(match, at=2, bots="steady"), {"rest": ""})):
        assert answer.status_code == 404
        assert "This match is not finished yet." in text(answer)
    assert nobody_answers() == 0


@pytest.fixture
def nobody_answers(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return how often bots were asked; they are as they are where their process has died."""
    requests = list[Future[tuple[str, ...]]]()

    def submit(*_args: object) -> Future[tuple[str, ...]]:
        requests.append(Future())
        requests[-1].set_exception(BrokenProcessPool())
        return requests[-1]

    monkeypatch.setattr(analysis.review_workers(), "submit", submit)
    return lambda: len(requests)


def test_move_stays_if_bots_fail(client: Client, nobody_answers: Callable[[], int]) -> None:
    match, match_steps, step = recorded("kozel")
    (move, *_others), seat = record_from(match, match_steps, step), match_steps.step(step.number + 1).seat
    answer = client.post(address(match, at=step.number, seat=seat, bots="steady"), {"move": move})
    assert "The bots could not answer. Please try again." in text(answer)
    assert moves_at(answer["HX-Replace-Url"]) == [move]
    assert "Let the bots move" in text(answer)
    assert 'id="go-on"' not in text(answer)
    assert nobody_answers() == 1


def test_bot_answers_are_rate_limited_and_the_move_stays(client: Client, settings: Settings) -> None:
    match, match_steps, step = recorded("kozel")
    (move, *_others), seat = record_from(match, match_steps, step), match_steps.step(step.number + 1).seat
    url = address(match, at=step.number, seat=seat, bots="steady")
    settings.RATES = settings.RATES | {"branches": parse_rate_limits("1+1/m address")}
    limits.enforce("branches", address="127.0.0.1")
    too_fast = client.post(url, {"move": move})
    settings.RATES = settings.RATES | {"branches": parse_rate_limits("9+1/m address")}
    settings.PLACES = settings.PLACES | {"branches": parse_place_limits("1 address")}
    limits.reset()
    with limits.hold_place("branches", address="127.0.0.1"):
        too_many = client.post(url, {"move": move})
    for answer in (too_fast, too_many):
        assert "That was too fast. Wait a moment, then try again." in text(answer)
        assert moves_at(answer["HX-Replace-Url"]) == [move]
    assert not limits.taken_places


def test_uploaded_record_has_branches(client: Client) -> None:
    name = upload(client, as_json()).url.rstrip("/").rpartition("/")[2]
    review, url = (reverse(page, args=[name]) for page in ("review-imported", "review-imported-branch"))
    assert f'href="{url}?at=3&as=open&bots=steady"' in text(client.get(review, {"at": "3"}))
    response = client.post(f"{url}?at=3&bots=beginner", {"rest": ""}, follow=True)
    assert 'id="branch-again"' in text(response)
    assert f'href="{review}?at=3&as=open"' in text(response)
    assert Client().get(f"{url}?at=3").status_code == 404
