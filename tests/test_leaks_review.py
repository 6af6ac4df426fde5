"""Reviews, branches, embeds and cards of a running match contain no hidden tile: the proofs of test_leaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from random import Random

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile, tile_text
from games.engine.view import View
from games.match.table import Table
from games.models import Match
from games.rendering.sprites import sprite_sheet
from games.review import review as review_requests
from games.review import steps as review_steps
from games.review.match_steps import Step
from games.words import offered_variants
from tests.test_leaks import GAMES, WORLDS, compare_worlds, leaked, play_into_round, small_table, viewers_at
from tests.test_leaks_delay import NOON, changed, delayed_table, play_into
from tests.test_leaks_planted import in_a_number, in_a_text
from tests.viewers import Viewer, content_without_tokens, impossible_moves, response_at, responses, start_rated_match
from tests.worlds import hidden_tiles

pytestmark = pytest.mark.seed(1)

# Numbers of steps and people, the outlines of buttons, and the sums of past rounds.
PUBLIC = re.compile(r' id="(?:step|round|mark)-[-\d]+"|<path d="[^"]*"|<span>[^<]*(?=<a )|Person \d')
# The page of a step, and all steps of its round in one response.
PAGE, FRAMES = NAMES = ("match-review", "match-review-round")
FIRST_GAMES = [*offered_variants().values()][:2]  # whose branches are tried: none exists in a running match


@dataclass
class ReviewedMatch:
    """A running match in its second round, and the reviewed steps: one of each round, and the last."""

    match: Match
    state: State
    steps: list[Step]
    viewers: list[Viewer]

    def address(self, name: str, step: Step | None = None) -> str:
        return reverse(name, args=[self.match.slug]) + (f"?at={step.number}" if step else "")


def reviewed_match(rules: Rules, chance: Random) -> ReviewedMatch:
    match = start_rated_match(rules, small_table(rules))
    viewers = viewers_at(match)
    state = play_into_round(2, match, chance)
    match_steps = review_steps.load_match_steps(match.pk, match.version)
    _, second = sorted(match_steps.round_starts().values())
    middle = (second + match_steps.last_number) // 2
    steps = [match_steps.step(second - 1), match_steps.step(middle), match_steps.steps[-1]]
    return ReviewedMatch(match, state, steps, viewers)


def review(viewer: Viewer, reviewed: ReviewedMatch) -> dict[str, bytes]:
    """Return the pages of the steps and the frames of their rounds, from the own and the public perspective.

    The frames of a round are the same for all of its steps.
    """
    perspectives = ["public"] if viewer.seat is None else ["public", str(viewer.seat)]
    addresses = [reviewed.address(PAGE, step) for step in reviewed.steps]
    addresses += [reviewed.address(FRAMES, step) for step in {step.round: step for step in reviewed.steps}.values()]
    return {
        address: b"".join(review_text(viewer, f"{address}&as={perspective}") for perspective in perspectives)
        for address in addresses
    }


def review_text(viewer: Viewer, address: str) -> bytes:
    """Return a page, or the markup of frames and the data that come with them."""
    response = viewer.client.get(address)
    if "/round/" not in address:
        return content_without_tokens(response)
    data = response.json()
    frames = data.pop("frames")
    return "".join([str(data), *(html for frame in frames for html in frame.values())]).encode()


def compare_reviews(viewer: Viewer, reviewed: ReviewedMatch, chance: Random) -> tuple[dict[str, bytes], set[str]]:
    return compare_worlds(viewer, reviewed.match, chance, lambda: review(viewer, reviewed))


def spelled(
    texts: dict[str, bytes], reviewed: ReviewedMatch, viewer: Viewer, names: Iterable[str] = NAMES
) -> set[Tile]:
    """Return the hidden tiles that the reviews of the running round spell. Past rounds were open at their end."""
    running = [step for step in reviewed.steps if step.round == reviewed.state.round.number]
    addresses = {reviewed.address(name, step) for name in names for step in running} & texts.keys()
    pages = [texts[address].decode().replace(sprite_sheet(reviewed.match.variant), "") for address in addresses]
    return set().union(*(leaked(PUBLIC.sub("", page), reviewed.state, viewer.seat) for page in pages))


def shared_pages(client: Client, reviewed: ReviewedMatch) -> dict[str, bytes]:
    """Return the embedded pages and the fingerprints of the cards, of the match and of the steps."""
    viewer, names = Viewer("", client), ("match-embed", "match-social-preview")
    addresses = [reviewed.address(name, step) for name in names for step in (None, *reviewed.steps)]
    return {address: response_at(viewer, address) for address in addresses}


def compare_shared_pages(client: Client, reviewed: ReviewedMatch, chance: Random) -> tuple[dict[str, bytes], set[str]]:
    """Compare worlds in which all hands differ, since these pages show everybody the same."""
    viewer = Viewer("", client)
    return compare_worlds(viewer, reviewed.match, chance, lambda: shared_pages(client, reviewed))


def branches(viewer: Viewer, reviewed: ReviewedMatch) -> dict[str, bytes]:
    """Return the responses to requests for branches from the last step."""
    moves, address = (
        impossible_moves(reviewed.state, viewer.seat),
        reviewed.address("match-branch", reviewed.steps[-1]),
    )
    queries = [address + more for more in ("", "&bots=steady", *(f"&moves={move}" for move in moves))]
    texts = {query: content_without_tokens(viewer.client.get(query)) for query in queries}
    for query in queries[:2]:
        for data in ({"rest": ""}, {"move": moves[-1]}):
            texts[f"{query} {data}"] = content_without_tokens(viewer.client.post(query, data, follow=True))
    return texts


def compare_branches(viewer: Viewer, reviewed: ReviewedMatch, chance: Random) -> tuple[dict[str, bytes], set[str]]:
    return compare_worlds(viewer, reviewed.match, chance, lambda: branches(viewer, reviewed))


@pytest.mark.django_db
@pytest.mark.parametrize("rules", GAMES)
def test_no_page_about_past_steps_contains_a_hidden_tile_and_leaks_are_found(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both proofs find spelled tiles in one match, and the comparison of worlds finds other leaks."""
    chance = Random("review")
    with time_machine.travel(NOON, tick=False):
        reviewed = reviewed_match(rules, chance)
        require_no_leak(reviewed, chance)
        require_found_in_reviews(monkeypatch, replace(reviewed, steps=reviewed.steps[-1:]), chance)
        if rules in FIRST_GAMES:
            for viewer in reviewed.viewers:
                require_no_branch(viewer, reviewed, chance)
            with monkeypatch.context() as planted:
                require_found_in_shared_pages(planted, reviewed, chance)
            with monkeypatch.context() as planted:
                require_found_in_branches(planted, reviewed, chance)


def require_no_leak(reviewed: ReviewedMatch, chance: Random) -> None:
    last = reviewed.steps[-1]
    for viewer in reviewed.viewers:
        texts, different = compare_reviews(viewer, reviewed, chance)
        assert b'id="review-after"' in texts[reviewed.address(PAGE, last)], viewer.name
        assert texts[reviewed.address(FRAMES, last)].count(b'id="board"') > 1, viewer.name
        assert different == set(), viewer.name
        assert spelled(texts, reviewed, viewer) == set(), viewer.name
    texts, different = compare_shared_pages(reviewed.viewers[0].client, reviewed, chance)
    assert different == set()
    assert leaked(texts[reviewed.address("match-embed")].decode(), reviewed.state, None) == set()


def require_no_branch(viewer: Viewer, reviewed: ReviewedMatch, chance: Random) -> None:
    texts, different = compare_branches(viewer, reviewed, chance)
    assert all(b"There is nothing to review here" in text for text in texts.values()), viewer.name
    assert different == set(), viewer.name
    searched = [text for query, text in texts.items() if "moves=" not in query]  # the others contain the given move
    assert [leaked(text.decode(), reviewed.state, viewer.seat) for text in searched] == [set()] * len(searched)


def plant_open_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = review_steps.view_of_seat
    monkeypatch.setattr(
        review_steps,
        "view_of_seat",
        lambda table, state, seat, open_hands: honest(table, state, None, open_hands=True),
    )


def plant_leak(monkeypatch: pytest.MonkeyPatch, leak: Callable[[View, Tile], View], number: int) -> None:
    """Let every view depend on a number of the tiles that seat 1 must not see."""
    honest = review_steps.view_of_seat

    def view_of(table: Table, state: State, seat: int | None, *, open_hands: bool) -> View:
        view = honest(table, state, seat, open_hands=open_hands)
        for tile in hidden_tiles(state, 1)[-number:]:
            view = leak(view, tile)
        return view

    monkeypatch.setattr(review_steps, "view_of_seat", view_of)


def plant_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_leak(monkeypatch, in_a_text, 10)


def require_found_in_reviews(monkeypatch: pytest.MonkeyPatch, reviewed: ReviewedMatch, chance: Random) -> None:
    viewer = reviewed.viewers[1]
    for plant in (plant_open_hands, plant_a_text):
        with monkeypatch.context() as planted:
            plant(planted)
            texts, different = compare_reviews(viewer, reviewed, chance)
        for name in NAMES:
            assert any(address.startswith(f"{reviewed.address(name)}?") for address in different), (plant, name)
            assert spelled(texts, reviewed, viewer, (name,)), (plant, name)
    with monkeypatch.context() as planted:
        plant_leak(planted, in_a_number, 1)
        assert any(compare_reviews(viewer, reviewed, chance)[1] for _ in range(WORLDS))


def require_found_in_shared_pages(planted: pytest.MonkeyPatch, reviewed: ReviewedMatch, chance: Random) -> None:
    plant_leak(planted, in_a_score, 1)
    texts, different = compare_shared_pages(Client(), reviewed, chance)
    embed = reviewed.address("match-embed")
    assert embed in different
    assert any("card.png?at=" in address for address in different)
    assert leaked(texts[embed].decode(), reviewed.state, None)


def require_found_in_branches(planted: pytest.MonkeyPatch, reviewed: ReviewedMatch, chance: Random) -> None:
    planted.setattr(review_requests, "is_over_for", lambda _viewer, _match: True)
    viewer, branch = reviewed.viewers[1], reviewed.address("match-branch", reviewed.steps[-1])
    texts, different = compare_worlds(viewer, reviewed.match, chance, lambda: responses(viewer, [branch]))
    assert different
    assert leaked(texts[branch].decode(), reviewed.state, viewer.seat)


def in_a_score(view: View, tile: Tile) -> View:
    first, *rest = view.seats
    return replace(view, seats=(replace(first, score=tile_text(tile)), *rest))


@pytest.mark.django_db
def test_a_branch_before_spectators_may_know_the_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof for all pages of a delayed match (test_leaks_delay) shows that there is none."""
    monkeypatch.setattr(review_requests, "is_over_for", lambda _viewer, match: match.status not in Match.UNFINISHED)
    chance = Random("delay 120")
    with time_machine.travel(NOON, tick=False) as clock:
        match, viewer = delayed_table(offered_variants()["kozel"], "120")
        play_into(1, match, chance, clock)
        clock.shift(120)  # spectators see the first steps
        assert changed(match, viewer, chance, "branch")
