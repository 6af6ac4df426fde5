"""The whole site: two people and two bots play a rated match of Kozel to the goat over real sockets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.play import Match
from tests.browser.player import Player
from tests.server import Server

# Bots answer after 0.2 to 0.7 s, so that all of their moves can be checked.
pytestmark = pytest.mark.site(PACE="0.35")

SEATS = 4
GOAT_LIMIT = 101
# Sets the score in a pause so that about one more round is played; make matches plays whole matches.
NEARLY_OVER = """
from django.db import transaction
from django.utils import timezone
from games.broadcast import announcements
from games.engine.events import Standing, StandingSet
from games.match import match_rows, record
from games.models import Match

with transaction.atomic():
    match = Match.objects.get(slug="{slug}")
    row = match_rows.lock_rows([match.pk])[match.pk]
    answer = row.due_kind == Match.Due.ROUND
    if answer:
        standing = StandingSet(tuple(Standing(points) for points in (82, 87, 92, 97)), 0)
        version = record.append(match.pk, row.version, [standing], timezone.now())
        Match.objects.filter(pk=match.pk).update(version=version)
        announcements.touch_table(match.pk)
"""
PERSON = "player-"
ORDINALS = {2: "2nd", 3: "3rd", 4: "4th"}


def test_rated_match_to_the_goat_with_two_disconnects(new_visitor: NewVisitor, site: Server) -> None:
    # The page of one of them is compared: a fresh load at each revision costs more than everything else.
    masha, alex = (
        Player(new_visitor(width=1440, height=900)),
        Player(new_visitor(width=360, height=740, scheme="dark", reduced_motion="no-preference"), mirrored=True),
    )
    sit_down(masha, alex)
    match = Match(masha, alex)

    # While a player can only knock, the site may do so at any moment.
    match.play_until(lambda: masha.state.can_act)
    missed_count = disconnect_while_others_play(match, masha, alex)
    # Soon, because some matches have a single round.
    match.play_until(lambda: masha.state.is_own_turn)
    match.play_until(lambda: alex.state.can_act)
    disconnect_during_a_move(match, masha, alex)
    skip_to_last_round(match, site, masha)
    match.play_until(lambda: masha.state.status == "finished")

    assert alex.mirror.differences == []
    # A page is not compared only if a bot moves again while it loads. People, who have two of four seats, wait for it.
    assert alex.mirror.missing(match.first) == set()
    assert match.compared <= alex.mirror.compared
    assert 3 * len(alex.mirror.compared) > match.revision - match.first - missed_count
    for player in match.players:
        check_result(player)


def name_of(player: Player) -> str:
    """Return a user name that is unique on this site: every window has its own port."""
    return f"{PERSON}{player.visitor.network.port}"


def sit_down(masha: Player, alex: Player) -> None:
    """Masha opens a table, Alex joins by her link, bots fill the rest. Only accounts gain rating points."""
    for player in (masha, alex):
        people.sign_up(player.visitor, name_of(player))
    masha.visitor.visit("/tables/new/?game=kozel")
    masha.page.get_by_text("More settings").click()
    for choice in ("The heaviest hand takes all", "Unlisted", "Rated"):
        masha.page.get_by_role("radio", name=re.compile(f"^{choice}")).check()
    people.press(masha.visitor, "Open the table")
    masha.page.wait_for_url(people.TABLE_PATH)
    invitation = masha.page.get_by_label("Invite people").input_value()
    assert invitation == masha.page.url

    # Alex's window has its own relay to the site, on another port.
    alex.visitor.visit(invitation.removeprefix(masha.visitor.network.url))
    people.press(alex.visitor, "Sit here")
    expect(masha.page.locator("#seats")).to_contain_text(name_of(alex))
    people.start_match(masha.visitor, alex.visitor)


def disconnect_while_others_play(match: Match, masha: Player, alex: Player) -> int:
    """Alex misses moves, sees that the connection is lost, and the current table when it is back.

    Return the number of missed revisions.
    """
    last = match.revision
    with alex.visitor.offline():
        match.play_until(lambda: masha.state.to_move == name_of(alex), masha)
        assert alex.read().revision == last < match.revision
        expect(alex.page.locator("#connection-state")).to_contain_text("Connection lost")
    missed_count = match.revision - last
    match.wait_again()
    expect(alex.page.locator("#connection-state")).to_be_hidden()
    return missed_count


def disconnect_during_a_move(match: Match, masha: Player, alex: Player) -> None:
    """Alex's move without a connection is never sent, and it is still Alex's turn afterwards."""
    version = alex.state.version
    with alex.visitor.offline():
        expect(alex.page.locator("#connection-state")).to_contain_text("Connection lost")
        # Not alex.act(): a tile with several places waits for an answer, which never comes without a connection.
        alex.page.locator("#hand .fits, #draw").first.click()
        expect(alex.page.locator("#hand .asked")).to_have_count(0)
    expect(alex.page.locator("#connection-state")).to_be_hidden()
    assert alex.read().is_own_turn
    # The revision may be newer: the site shows a player without a connection as away.
    assert alex.state.version == masha.read().version == version


def skip_to_last_round(match: Match, site: Server, masha: Player) -> None:
    """Play on to a pause, unless the match ends before, and set the score then."""
    set_score = NEARLY_OVER.format(slug=people.table_address(masha.visitor).split("/")[2])
    while masha.state.status != "finished":
        if masha.state.round_is_over and site.run_code(set_score):
            return
        match.step()


def check_result(player: Player) -> None:
    """Read the last screen, and recompute places and rating points by kozel.goat and kozel.rating."""
    result = player.page.locator("#result")
    rows = [Row.read(row) for row in result.locator(".places tbody tr").all()]
    assert len(rows) == SEATS
    assert result.locator(".headline, .outcome").all_inner_texts() == expected_outcome(name_of(player), rows)
    accounts = [row.account for row in rows]
    better = [account for account in accounts if account < GOAT_LIMIT]
    # Goats share the last place whatever their accounts.
    assert accounts[: len(better)] == sorted(better)
    for row in rows:
        assert row.lost == (row.account >= GOAT_LIMIT)
        assert row.place == 1 + sum(account < row.account for account in better)
        if not row.name.startswith(PERSON):
            assert row.gain == "–", row.name
            continue
        gain = 0 if row.lost else max(1, (100 - row.account + 5) // 10)
        assert row.gain == f"+{gain}"
        assert row.terms.startswith(f"{row.account} ≥ 101 → 0" if row.lost else f"(100 − {row.account}) / 10 = ")
        assert f"→ {gain} " in row.terms


def expected_outcome(name: str, rows: list[Row]) -> list[str]:
    """Return the headline and the outcome that the page shows this person."""
    own = next(row for row in rows if row.name == name)
    winners, goats = ([row.name for row in rows if row.place == 1], [row.name for row in rows if row.lost])
    if own.lost:
        headline = "You are the goat" if len(goats) == 1 else "You are a goat"
    elif own.place == 1:
        headline = "You won!" if len(winners) == 1 else "You share first place"
    else:
        headline = f"{ORDINALS[own.place]} place"
    sentences = []
    if name not in winners:
        sentences.append(f"{enumeration(winners)} {'wins' if len(winners) == 1 else 'share first place'}.")
    if own.lost and len(goats) > 1:
        sentences.append(f"{enumeration(['You', *(goat for goat in goats if goat != name)])} are goats.")
    elif not own.lost:
        sentences.append(f"{enumeration(goats)} {'is the goat' if len(goats) == 1 else 'are goats'}.")
    return [headline, " ".join(sentences)]


def enumeration(names: list[str]) -> str:
    *first_names, last = names
    return f"{', '.join(first_names)} and {last}" if first_names else last


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the last screen.

    ``account`` is 0 for players who never opened; ``terms`` explain the points.
    """

    place: int
    name: str
    lost: bool
    account: int
    gain: str
    terms: str

    @classmethod
    def read(cls, row: Locator) -> Self:
        place, score, gain = (cell.inner_text() for cell in row.get_by_role("cell").all())
        heading = row.get_by_role("rowheader")
        name = heading.inner_text().removesuffix("the goat").strip().removesuffix("(you)").strip()
        terms = ""
        if gain != "–":
            row.locator("button:not(.score)").click()
            expect(row.locator("[popover] > b")).to_have_text(f"Rating points: {gain}")
            terms = row.locator("[popover] > span").all_inner_texts()[0]
            # They may cover the next number.
            row.page.keyboard.press("Escape")
            expect(row.locator("[popover]")).to_be_hidden()
        account = int(score.split()[-1]) if "account" in score else 0
        return cls(int(place), name, heading.locator(".badge").count() > 0, account, gain, terms)
