"""Nobody is told a tile that he may not see: not in a text, an id, an attribute or an order, not in any byte.

Two proofs, over random matches of every variant. One changes the world: the tiles hidden from a viewer change places,
and everything he is told must stay the same, byte for byte. The other searches what he is told for the spellings
of those tiles. Both are shown to fail where something leaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import cache, partial
from random import Random
from types import SimpleNamespace

import pytest
import time_machine
from channels.db import database_sync_to_async
from django.db import transaction
from django.urls import reverse

from accounts.login import guests
from accounts.names import reserved
from accounts.names import rules as names_rules
from games.chat import posting
from games.engine.decide import new_match
from games.engine.evolve import start_state
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile, tile_text
from games.engine.variants import rules_for
from games.models import Match, MatchEvent, Message, Seat
from games.rendering.sprites import sheet
from games.services import play
from games.services.moves import make_move
from games.words import offered
from tests.games.socket_browser import Browser, opened
from tests.games.tables import state_of
from tests.viewers import Viewer, admin_pages, answers, everybody, pages, pages_of, table_of, tiles_to_try, told, tries
from tests.worlds import another_world, hidden_from, state_now

pytestmark = pytest.mark.seed(1)

MOVES = 60
WORLDS = 4
"""Of two copies of a tile one may lie where the other lay, but not so often in a row."""
FIRST_GAME = next(iter(offered()))
ABOUT_MATCHES = (Match, Seat, MatchEvent, Message)
SHOWN_OTHERWISE = ("match-review", "match-review-round", "match-social-preview", "match-record", "match-transcript")
Said = dict[str, bytes]
in_thread = database_sync_to_async
REVISION = re.compile(r'(?<=data-revision=")\d+')
PUBLIC = re.compile(r' id="(?:m|tally|(?:tall-|wide-)?(?:t|flash))\d+"| d="[^"]*"|<p id="board-text".*?</p>')
"""Numbers of chat lines, of tiles on the table and of its counts; outlines; and how it reads, by rows and columns."""


def has_tiles_aside(rules: Rules, seats: int) -> bool:
    """Tell whether some tiles of a deal are in nobody's hand."""
    state = start_state(new_match(rules, seats, {}))
    deal = rules.deal(state, range(len(rules.tile_set)))
    return bool(deal.boneyard or deal.aside)


def telling_seats(rules: Rules) -> list[int]:
    """Return the fewest seats with tiles that are in nobody's hand, and the most seats."""
    with_tiles_aside = [seats for seats in rules.seat_counts if has_tiles_aside(rules, seats)]
    return sorted({*with_tiles_aside[:1], max(rules.seat_counts)})


GAMES = [pytest.param(rules, id=key) for key, rules in offered().items()]
TABLES = [
    pytest.param(rules, seats, id=f"{key}-{seats}")
    for key, rules in offered().items()
    for seats in telling_seats(rules)
]


@pytest.fixture
def no_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names and colours proposed to guests are always the first ones."""
    first = SimpleNamespace(choice=lambda items: items[0], randbelow=lambda _count: 0)
    for module in (names_rules, guests, reserved):
        monkeypatch.setattr(module, "secrets", first)


# Playing on


def make_random_move(match: Match, chance: Random) -> None:
    """Make a move; between rounds, say that everybody is ready; after the last one, nothing."""
    state = state_of(match)
    if state.match_over:
        return
    users = dict(match.seats.values_list("index", "user_id"))
    if state.round.to_move is None:
        for user_id in users.values():
            play.ready(match_id=match.pk, user_id=user_id)
    else:
        rules = rules_for(match.variant)
        move = rules.move_text(chance.choice(rules.legal_moves(state)))
        make_move(match_id=match.pk, user_id=users[state.round.to_move], move=move, version=match.version)
    match.refresh_from_db()


def play_into_round(number: int, match: Match, chance: Random) -> State:
    """Play until somebody has a choice in the middle of that round, or of a later one."""
    rules = rules_for(match.variant)
    while True:
        state = state_of(match)
        assert not state.match_over
        if state.round.number >= number and len(state.round.plays) >= 4 and len(rules.legal_moves(state)) > 1:
            return state
        make_random_move(match, chance)


# The two proofs


def told_differently(viewer: Viewer, match: Match, chance: Random, ask: Callable[[], Said]) -> tuple[Said, set[str]]:
    """Return what this viewer is told, asking so, and the addresses at which it is something else in another world."""
    here = ask()
    with another_world(match, viewer.seat, chance):
        there = ask()
    assert here.keys() == there.keys()
    return here, {address for address, said in here.items() if said != there[address]}


def betrayed(text: str, state: State, seat: int | None) -> set[Tile]:
    """Return the tiles hidden from the seat that the text spells; what past rounds showed may be spelt again.

    Sums of what the moves of past rounds scored, three draws at 5 points for instance, are no tiles.
    """
    if state.round.to_move is None:
        return set()
    past = " ".join(term.text for ended in state.rounds for points in ended.points for term in points.terms)
    text = PUBLIC.sub("", text.replace(sheet(state.setup.variant), ""))
    sums = [term.text for ended in state.rounds for points in ended.made for term in points.terms]
    for each in sorted(sums, key=len, reverse=True):
        text = text.replace(f">{each} =", "> =")
    spelt = tiles_spelt(text, rules_for(state.setup.variant)).intersection(hidden_from(state, seat))
    return {tile for tile in spelt if tile_text(tile) not in past}


def tiles_spelt(text: str, rules: Rules) -> set[Tile]:
    """Return the tiles whose parts stand in a text, in any order: ``6-4``, ``4/6``, ``[6, 4]``, ``#h64``."""
    tiles = {tuple(sorted(tile)): tile for tile in rules.tile_set}
    found = spelling(len(rules.tile_set[0])).finditer(text)
    parts = (tuple(sorted(map(int, re.findall(r"\d", each[1])))) for each in found)
    return {tiles[each] for each in parts if each in tiles}


@cache
def spelling(size: int) -> re.Pattern[str]:
    """Match what may be a tile of so many parts; longer words are the names of matches."""
    parts = [r"\d"] * size
    ways = (
        r"\s?[-−/|:]\s?".join(parts),
        rf"[\[(]{',[ ]?'.join(parts)}[\])]",
        rf"[a-zA-Z_]{{1,8}}-?{''.join(parts)}",
    )
    return re.compile(rf"(?<![\w.-])(?=((?:{'|'.join(ways)})(?![\w-])))")


def betrayed_by_pages(said: Said, match: Match, state: State, seat: int | None) -> dict[str, set[Tile]]:
    """Return the hidden tiles that the pages of the table spell, but for the tile that was asked for.

    Other pages speak of tiles in general, the review and the record of the tiles of older rounds (test_leaks_review
    searches the one, test_leaks_exports looks how far the other goes). A PNG spells nothing (test_leaks_shared
    compares what it was drawn from).
    """
    left_out = {reverse(name, args=[match.slug]) for name in SHOWN_OTHERWISE}
    found = {
        address: betrayed(text.decode().replace(address.partition("?")[2] or address, ""), state, seat)
        for address, text in said.items()
        if match.slug in address and address not in left_out
    }
    return {address: tiles for address, tiles in found.items() if tiles}


# Pages


def lookers(match: Match, seats: int) -> list[Viewer]:
    """Return who looks at this table: everybody at the smaller one of each game.

    More seats bring nobody outside, but more hands: at the largest table all seats look, and one who watches.
    """
    viewers = everybody(match)
    if seats == telling_seats(rules_for(match.variant))[0]:
        return viewers
    return [viewer for viewer in viewers if viewer.seat is not None or viewer.name == "spectator"]


def asked(viewer: Viewer, match: Match, seats: int) -> list[str]:
    """Return the addresses that this viewer opens: all that name the match.

    The others ask for no seat: a player of the smaller table opens them, and in the first game also those that name no
    game. The administrator opens there what the admin has about matches; test_leaks_admin opens the rest of it, and
    all of it as a moderator.
    """
    if seats == telling_seats(rules_for(match.variant))[0]:
        if viewer.seat == 0:
            named = "" if match.variant == FIRST_GAME else match.variant
            return [address for address in pages(match) if match.slug in address or named in address]
        if viewer.name == "administrator":
            return [*pages_of(match), *admin_pages(match, ABOUT_MATCHES)]
    return pages_of(match)


def page_of(match: Match) -> str:
    """Return the address of the table: what is planted into views shows there."""
    return reverse("match", args=[match.slug])


def all_told(viewer: Viewer, match: Match, state: State, addresses: Collection[str]) -> Said:
    """Return what the site says to the viewer. A visitor, whom a try makes a guest, is none afterwards."""
    with transaction.atomic():
        said = told(viewer, addresses) | answers(viewer, match, state)
        transaction.set_rollback(viewer.user is None)
    if viewer.user is None:
        viewer.client.cookies.clear()
    return said


@pytest.mark.django_db
@pytest.mark.usefixtures("no_lots")
@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_no_page_tells_a_hidden_tile(rules: Rules, seats: int) -> None:
    chance = Random(f"pages {seats}")
    with time_machine.travel("2026-01-01T12:00:00Z", tick=False):
        match = table_of(rules, seats)
        viewers = lookers(match, seats)
        posting.post_message(match=match, user=viewers[0].user, phrase="hello")
        state = play_into_round(2, match, chance)
        for viewer in viewers:
            addresses = asked(viewer, match, seats)
            ask = partial(all_told, viewer, match, state, addresses)
            said, different = told_differently(viewer, match, chance, ask)
            assert b'id="hand"' in said[page_of(match)]
            assert different == set(), viewer.name
            assert betrayed_by_pages(said, match, state, viewer.seat) == {}, viewer.name


# Sockets


async def heard(match: Match, viewer: Viewer, state: State) -> list[str]:
    """Return what a new socket is told: the table, and the answers to vain choices and tries."""
    browser = await opened(match, viewer.user)
    said = [await browser.frame()]
    for tile in tiles_to_try(state, viewer.seat):
        await browser.say(type="choose", tile=tile_text(tile))
        said.append(await browser.frame())
    for move in tries(state, viewer.seat):
        await browser.say(type="move", move=move, v=match.version)
        said.append(await browser.frame())
    await browser.disconnect()
    return [REVISION.sub("", text) for text in said]


async def heard_differently(viewer: Viewer, match: Match, state: State, chance: Random) -> list[str]:
    """Return what a new socket is told in this world and not in another."""
    here = await heard(match, viewer, state)
    world = another_world(match, viewer.seat, chance)
    await in_thread(world.__enter__)()
    there = await heard(match, viewer, state)
    await in_thread(world.__exit__)(None, None, None)
    assert len(here) == len(there)
    return [one for one, other in zip(here, there, strict=True) if one != other]


async def frames_until(browser: Browser, version: int) -> list[str]:
    """Return all frames up to the one of this version."""
    frames = [await browser.frame()]
    while f'name="v" value="{version}"' not in frames[-1]:
        frames.append(await browser.frame())
    return frames


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("rules", "seats"), TABLES)
async def test_no_socket_tells_a_hidden_tile(rules: Rules, seats: int) -> None:
    chance = Random(f"sockets {seats}")
    match = await in_thread(table_of)(rules, seats)
    viewers = (await in_thread(everybody)(match))[: seats + 1]
    browsers = [await opened(match, viewer.user) for viewer in viewers]
    for number in range(MOVES):
        state = await in_thread(state_now)(match)
        for viewer, browser in zip(viewers, browsers, strict=True):
            for frame in await frames_until(browser, match.version):
                if f'name="v" value="{match.version}"' in frame:
                    assert betrayed(frame, state, viewer.seat) == set(), viewer.name
            if number % 20 == 10 and state.round.to_move is not None:
                assert await heard_differently(viewer, match, state, chance) == [], viewer.name
        if state.match_over:
            break
        await in_thread(make_random_move)(match, chance)
    for browser in browsers:
        await browser.disconnect()
