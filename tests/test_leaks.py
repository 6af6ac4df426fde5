"""No viewer receives a tile that they may not see: not as text, id, attribute or order, not in any byte.

There are two proofs, over random matches of every game. One changes the world: the tiles hidden from a viewer change
places, and every response must stay the same, byte for byte. The other searches the responses for the spellings of
those tiles. test_leaks_planted shows that both find planted leaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import cache, partial
from random import Random

import pytest
import time_machine
from django.db import transaction
from django.urls import reverse

from games.chat import posting
from games.engine.decide import new_match
from games.engine.evolve import start_state
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile, tile_text
from games.engine.variants import rules_for
from games.models import Match
from games.rendering.sprites import sprite_sheet
from games.services import play
from games.services.moves import make_move
from games.words import offered_variants
from tests.games.socket_browser import Browser, connect_to_table, in_thread
from tests.games.tables import play_until, state_of
from tests.games.tournaments import site as tournament_site
from tests.viewers import (
    Viewer,
    all_viewers,
    form_addresses,
    impossible_moves,
    match_addresses,
    page_addresses,
    refusal_responses,
    responses,
    start_rated_match,
    tiles_to_try,
)
from tests.worlds import folded_state, hidden_tiles, hidden_tiles_swapped

pytestmark = pytest.mark.seed(1)

MOVES = 60
WORLDS = 4  # tries to find a leak: of two copies of a tile, one may lie in the other's place, but not this often
FIRST_GAME = next(iter(offered_variants()))
# Pages that show the tiles of past rounds, or none as text; test_leaks_review and test_leaks_exports search them.
NOT_SEARCHED = (
    *("match-review", "match-review-round", "match-social-preview", "match-record", "match-transcript"),
    "api:get_record",
)
TOURNAMENT_PAGES = ("tournament", "tournament-calendar")
Responses = dict[str, bytes]
REVISION = re.compile(r'(?<=data-revision=")\d+')
# Numbers of chat lines, of tiles on the table and of its counts; outlines; the text of the board, by rows and
# columns; lists of numbers in the API.
PUBLIC = re.compile(
    r' id="(?:m|tally|(?:tall-|wide-)?(?:t|flash))\d+"| d="[^"]*"|<p id="board-text".*?</p>'
    r'|"(?:sides|counts|standing)": \[[0-9, ]*\]'
)


def has_tiles_aside(rules: Rules, seats: int) -> bool:
    """Return whether some tiles of a deal are in nobody's hand."""
    state = start_state(new_match(rules, seats, {}))
    deal = rules.deal(state, range(len(rules.tile_set)))
    return bool(deal.boneyard or deal.aside)


def small_table(rules: Rules) -> int:
    """Return the fewest seats with tiles that are in nobody's hand."""
    return next(seats for seats in rules.seat_counts if has_tiles_aside(rules, seats))


def seat_counts(rules: Rules) -> list[int]:
    """Return the most seats, and before it a smaller table if only that has tiles in nobody's hand."""
    most = max(rules.seat_counts)
    return [most] if has_tiles_aside(rules, most) else [small_table(rules), most]


GAMES = [pytest.param(rules, id=key) for key, rules in offered_variants().items()]
TABLES = [
    pytest.param(rules, seats, id=f"{key}-{seats}")
    for key, rules in offered_variants().items()
    for seats in seat_counts(rules)
]


# Continuing a match


def make_random_move(match: Match, chance: Random) -> None:
    """Make a move, or let everybody be ready for the next round; do nothing after the match."""
    state = state_of(match)
    if state.match_over:
        return
    users = dict(match.seats.values_list("index", "user_id"))
    if state.round.to_move is None:
        for user_id in users.values():
            play.mark_ready(match_id=match.pk, user_id=user_id)
    else:
        rules = rules_for(match.variant)
        move = rules.move_text(chance.choice(rules.legal_moves(state)))
        make_move(match_id=match.pk, user_id=users[state.round.to_move], move=move, version=match.version)
    match.refresh_from_db()


def play_into_round(number: int, match: Match, chance: Random) -> State:
    """Play until somebody has a choice in the middle of that round, or of a later one."""
    rules = rules_for(match.variant)

    def is_reached(state: State) -> bool:
        return state.round.number >= number and len(state.round.plays) >= 4 and len(rules.legal_moves(state)) > 1

    state = play_until(match, is_reached, lambda rules, state: chance.choice(rules.legal_moves(state)))
    assert not state.match_over
    match.refresh_from_db()
    return state


# The two proofs


def compare_worlds(
    viewer: Viewer, match: Match, chance: Random, request: Callable[[], Responses]
) -> tuple[Responses, set[str]]:
    """Return the responses to a viewer, and the addresses whose responses differ in another world."""
    real = request()
    with hidden_tiles_swapped(match, viewer.seat, chance):
        altered = request()
    assert real.keys() == altered.keys()
    return real, {address for address, response in real.items() if response != altered[address]}


def leaked(text: str, state: State, seat: int | None) -> set[Tile]:
    """Return the tiles hidden from the seat that the text spells, except those of past rounds.

    Sums of past points, such as three draws at 5 points, are not tiles.
    """
    if state.round.to_move is None:
        return set()
    past = " ".join(term.text for ended in state.rounds for points in ended.points for term in points.terms)
    text = PUBLIC.sub("", text.replace(sprite_sheet(state.setup.variant), ""))
    sums = [term.text for ended in state.rounds for points in ended.made for term in points.terms]
    for text_of_sum in sorted(sums, key=len, reverse=True):
        text = text.replace(f">{text_of_sum} =", "> =")
    spelled = spelled_tiles(text, rules_for(state.setup.variant)).intersection(hidden_tiles(state, seat))
    return {tile for tile in spelled if tile_text(tile) not in past}


def spelled_tiles(text: str, rules: Rules) -> set[Tile]:
    """Return the tiles whose parts are in a text, in any order: ``6-4``, ``4/6``, ``[6, 4]``, ``#h64``."""
    tiles = {tuple(sorted(tile)): tile for tile in rules.tile_set}
    matches = spelling(len(rules.tile_set[0])).finditer(text)
    parts = (tuple(sorted(map(int, re.findall(r"\d", match[1])))) for match in matches)
    return {tiles[numbers] for numbers in parts if numbers in tiles}


@cache
def spelling(size: int) -> re.Pattern[str]:
    """Return the pattern of a tile with a number of parts. Longer words are the names of matches."""
    parts = [r"\d"] * size
    ways = (
        r"\s?[-−/|:]\s?".join(parts),
        rf"[\[(]{',[ ]?'.join(parts)}[\])]",
        rf"[a-zA-Z_]{{1,8}}-?{''.join(parts)}",
    )
    return re.compile(rf"(?<![\w.-])(?=((?:{'|'.join(ways)})(?![\w-])))")


def not_searched(match: Match) -> set[str]:
    return {reverse(name, args=[match.slug]) for name in NOT_SEARCHED}


def leaked_by_pages(texts: Responses, match: Match, state: State, seat: int | None) -> dict[str, set[Tile]]:
    """Return the hidden tiles that the pages of the match spell, except a tile in the address itself."""
    by_address = {
        address: leaked(text.decode().replace(address.partition("?")[2] or address, ""), state, seat)
        for address, text in texts.items()
        if match.slug in address and address not in not_searched(match)
    }
    return {address: tiles for address, tiles in by_address.items() if tiles}


# Pages


def viewers_at(match: Match) -> list[Viewer]:
    """Return everybody in the first game, and all seats and a spectator in the others.

    A table has one view for everybody outside. Visitors receive its frames in all games.
    """
    viewers = all_viewers(match)
    if match.variant == FIRST_GAME:
        return viewers
    return [viewer for viewer in viewers if viewer.seat is not None or viewer.name == "spectator"]


def addresses_for(viewer: Viewer, match: Match) -> list[str]:
    """Return the addresses that this viewer opens: all that name the match, except forms (``viewers.FORM_NAMES``).

    At the first table of a game a player also opens those that name the game, and in the first game all others. There
    everybody opens the forms, reviews and downloads; test_leaks_review and test_leaks_exports try those in detail.
    """
    addresses = match_addresses(match)
    if match.variant != FIRST_GAME:
        elsewhere = form_addresses(match) | not_searched(match)
        addresses = [address for address in addresses if address not in elsewhere]
    if match.seat_count != seat_counts(rules_for(match.variant))[0]:
        return addresses
    if viewer.seat == 0:
        name = "" if match.variant == FIRST_GAME else match.variant
        addresses += [address for address in page_addresses(match) if match.slug not in address and name in address]
    return addresses


def page_of(match: Match) -> str:
    """Return the address of the table, which shows leaks that are planted into views."""
    return reverse("match", args=[match.slug])


def all_responses(viewer: Viewer, match: Match, state: State, addresses: Collection[str]) -> Responses:
    """Return the responses to the viewer. A visitor, whom a move makes a guest, is a visitor again afterwards."""
    with transaction.atomic():
        texts = responses(viewer, addresses) | refusal_responses(viewer, match, state)
        transaction.set_rollback(viewer.user is None)
    if viewer.user is None:
        viewer.client.cookies.clear()
    return texts


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_names")
@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_no_page_contains_a_hidden_tile(rules: Rules, seats: int) -> None:
    chance = Random(f"pages {seats}")
    with time_machine.travel("2026-01-01T12:00:00Z", tick=False):
        match = start_rated_match(rules, seats)
        viewers = viewers_at(match)
        posting.post_message(match=match, user=viewers[0].user, phrase="hello")
        state = play_into_round(2, match, chance)
        for viewer in viewers:
            request = partial(all_responses, viewer, match, state, addresses_for(viewer, match))
            texts, different = compare_worlds(viewer, match, chance, request)
            assert b'id="hand"' in texts[page_of(match)]
            assert different == set(), viewer.name
            assert leaked_by_pages(texts, match, state, viewer.seat) == {}, viewer.name
            if match.variant == FIRST_GAME:  # the other games need not open the forms
                assert {texts[form] for form in form_addresses(match)} <= {b"303 ", b"405 "}, viewer.name


@pytest.mark.django_db
def test_no_page_of_a_tournament_contains_a_hidden_tile() -> None:
    chance = Random("tournament")
    with time_machine.travel(tournament_site.START, tick=False):
        tournament = tournament_site.announced()
        people = tournament_site.entrants(tournament, "Ann", "Bob", "Cyd", "Dan")
        tournament_site.begin_round(tournament_site.START, people)
        match = tournament_site.running_matches()[0]
        state = play_into_round(1, match, chance)
        slugs = {"slug": tournament.slug}
        addresses = [reverse("tournaments"), *(reverse(name, kwargs=slugs) for name in TOURNAMENT_PAGES)]
        addresses.append(f"/api/tournament/{tournament.slug}")
        for viewer in all_viewers(match):
            texts, different = compare_worlds(viewer, match, chance, partial(responses, viewer, addresses))
            if viewer.seat is not None:
                assert match.slug.encode() in texts[addresses[1]], "the way to the table"
            assert different == set(), viewer.name
            for address, text in texts.items():
                assert leaked(text.decode(), state, viewer.seat) == set(), (viewer.name, address)


# Sockets


async def socket_frames(match: Match, viewer: Viewer, state: State) -> list[str]:
    """Return the frames of a new socket: the table, and the responses to illegal choices and moves."""
    browser = await connect_to_table(match, viewer.user)
    frames = [await browser.next_frame()]
    for tile in tiles_to_try(state, viewer.seat):
        await browser.send_message(type="choose", tile=tile_text(tile))
        frames.append(await browser.next_frame())
    for move in impossible_moves(state, viewer.seat):
        await browser.send_message(type="move", move=move, v=match.version)
        frames.append(await browser.next_frame())
    await browser.disconnect()
    return [REVISION.sub("", text) for text in frames]


async def compare_sockets(viewer: Viewer, match: Match, state: State, chance: Random) -> list[str]:
    """Return the frames of a new socket that differ in another world."""
    real = await socket_frames(match, viewer, state)
    world = hidden_tiles_swapped(match, viewer.seat, chance)
    await in_thread(world.__enter__)()
    altered = await socket_frames(match, viewer, state)
    await in_thread(world.__exit__)(None, None, None)
    assert len(real) == len(altered)
    return [frame for frame, other in zip(real, altered, strict=True) if frame != other]


async def frames_until(browser: Browser, version: int) -> list[str]:
    """Return all frames up to the one of this version."""
    frames = [await browser.next_frame()]
    while f'name="v" value="{version}"' not in frames[-1]:
        frames.append(await browser.next_frame())
    return frames


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("rules", "seats"), TABLES)
async def test_no_frame_contains_a_hidden_tile(rules: Rules, seats: int) -> None:
    chance = Random(f"sockets {seats}")
    match = await in_thread(start_rated_match)(rules, seats)
    viewers = (await in_thread(all_viewers)(match))[: seats + 1]
    browsers = [await connect_to_table(match, viewer.user) for viewer in viewers]
    for number in range(MOVES):
        state = await in_thread(folded_state)(match)
        for viewer, browser in zip(viewers, browsers, strict=True):
            for frame in await frames_until(browser, match.version):
                if f'name="v" value="{match.version}"' in frame:
                    assert leaked(frame, state, viewer.seat) == set(), viewer.name
            if number % 20 == 10 and state.round.to_move is not None:
                assert await compare_sockets(viewer, match, state, chance) == [], viewer.name
        if state.match_over:
            break
        await in_thread(make_random_move)(match, chance)
    for browser in browsers:
        await browser.disconnect()
