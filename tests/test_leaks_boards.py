"""Before a board closes, nothing about it leaves the server but to its player: no page, list, record or analysis.

As in test_leaks_delay, the proof lets the match continue and end: every page of the others must stay the same. It is
shown to find planted leaks.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from random import Random

import pytest
import time_machine
from django.db.models import Q
from django.http import Http404

from games import access
from games.engine.notation import import_match
from games.engine.proof import verify
from games.engine.rules import Rules
from games.history import queries
from games.match import disclosure
from games.match_reports import reports
from games.models import Match, Tournament
from games.records import exports
from games.services import boards, heartbeats
from games.services.boards import Board, board_terms, close_boards, play_board
from games.spectators import delayed
from games.tournaments import reading
from games.tournaments.core.duplicate import entropy
from games.tournaments.core.state import State
from games.words import offered_variants
from tests.games import tables
from tests.games.tables import play_until, state_of
from tests.games.tournaments.site import SECOND, START, begin_round, duplicate, entrants, run_clock, running_matches
from tests.test_leaks_delay import LISTS, NOON, STREAMS
from tests.viewers import (
    Viewer,
    all_viewers,
    api_addresses,
    api_responses,
    form_addresses,
    match_addresses,
    new_viewer,
    responses,
)
from tests.worlds import clear_match_caches

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse"),
    pytest.mark.seed(1),
]
SECRET = bytes(range(32)).hex()
BOARD = Board("daily-test", 2, SECRET, entropy(["one"]))
GAMES = [pytest.param(rules, id=key) for key, rules in offered_variants().items()]


def board_of(rules: Rules, name: str = "Player") -> Match:
    """Return a board that a person plays in seat 1."""
    return play_board(user=tables.person(name), terms=board_terms(rules.key), board=BOARD, seat=1)


def pages(viewer: Viewer, match: Match) -> dict[str, bytes]:
    """Return the pages of the match, the lists, and the pages and downloads of its player."""
    person = match.seats.get(index=1).user_id
    of_match = [address for address in match_addresses(match) if address not in form_addresses(match)]
    review = [f"/match/{match.slug}/review/?at={number}" for number in (1, 4)]
    people = [f"/people/{person}/{page}" for page in ("", *STREAMS)]
    return responses(viewer, [*of_match, *review, *LISTS, *people])


def play_on(match: Match, chance: Random, moves: int = 500) -> None:
    """Play the board up to this number of moves, or to its end."""
    play_until(
        match,
        lambda state: len(state.round.moves) >= moves,
        lambda rules, state: chance.choice(rules.legal_moves(state)),
    )
    clear_match_caches()
    match.refresh_from_db()


def outsiders(match: Match) -> list[Viewer]:
    return [viewer for viewer in all_viewers(match) if viewer.user is None or viewer.seat is None]


def finish(match: Match, chance: Random) -> datetime:
    """Play a board to its end, and return when it ended."""
    play_on(match, chance)
    assert match.status == Match.Status.FINISHED
    assert match.finished_at is not None
    return match.finished_at


@pytest.mark.parametrize("rules", GAMES)
def test_no_page_of_others_changes_with_a_board_until_it_closes(rules: Rules) -> None:
    chance = Random(rules.key)
    with time_machine.travel(NOON, tick=False):
        match = board_of(rules)
        play_on(match, chance, 3)
        viewers = outsiders(match)
        before = [pages(viewer, match) for viewer in viewers]
        visible = {
            (address, text[:3])
            for texts in before
            for address, text in texts.items()
            if address.startswith(f"/match/{match.slug}/") and text[:3] != b"404"
        }
        assert visible == set()
        finish(match, chance)
        for viewer, texts in zip(viewers, before, strict=True):
            assert {address for address, text in pages(viewer, match).items() if texts[address] != text} == set()


@pytest.mark.parametrize("rules", GAMES[:2])
def test_player_has_no_record_report_or_open_hands_of_an_open_board(rules: Rules) -> None:
    chance = Random(rules.key)
    with time_machine.travel(NOON, tick=False):
        match = board_of(rules)
        ended_at = finish(match, chance)
        player = next(viewer for viewer in all_viewers(match) if viewer.user and viewer.seat == 1)
        texts = pages(player, match)
        assert texts[f"/match/{match.slug}/"].startswith(b"200")
        hidden = [f"/match/{match.slug}/{page}" for page in ("record/", "record.txt", "verify/", "review/?as=0")]
        for address, text in responses(player, hidden).items():
            assert text[:3] in (b"404", b"409"), address
        lists = [text for address, text in texts.items() if "/people/" in address or address == "/matches/"]
        assert not any(match.slug.encode() in text for text in lists)
        assert reports.next_match_to_report(ended_at) is None
        assert not any(SECRET.encode() in text for text in texts.values())


def test_closed_board_is_public_and_fair() -> None:
    chance = Random("close")
    match, other = board_of(offered_variants()["kozel"]), board_of(offered_variants()["kozel"], "Other")
    assert state_of(match).hands == state_of(other).hands
    ended_at = finish(match, chance)
    assert close_boards(sources=["daily-test"], with_secret=False, now=ended_at)
    data = exports.to_json_data(exports.read_record(match.pk))
    assert verify(import_match(data)) == ["The secret was not revealed."]
    assert close_boards(sources=["daily-test"], with_secret=True, now=ended_at)
    for board in (match, other):  # the other was stopped
        board.refresh_from_db()
        data = json.loads(json.dumps(exports.to_json_data(exports.read_record(board.pk))))
        assert verify(import_match(data)) == []
        assert data["events"][0]["source"] == "daily-test"
        addresses = [f"/match/{board.slug}/{page}" for page in ("", "record/", "review/")]
        texts = responses(new_viewer("anonymous"), addresses)
        assert all(text[:3] == b"200" for text in texts.values())


def test_nothing_is_revealed_while_somebody_still_plays_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "CLOSED_PER_PASS", 1)
    game = offered_variants()["kozel"]
    over, *running = (board_of(game, name) for name in ("Player", "Other", "Third"))
    ended_at = finish(over, Random("order"))
    revealed = [
        close_boards(sources=["daily-test"], with_secret=True, now=ended_at) or bool(state_of(over).secret)
        for _pass in range(2)
    ]
    assert revealed == [False, True]
    assert not any(Match.objects.filter(pk=match.pk, status=Match.Status.RUNNING) for match in running)


def test_table_that_lets_others_in_still_shows_them_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "can_see", lambda _user, _match: True)
    with time_machine.travel(NOON, tick=False):
        match = board_of(offered_variants()["kozel"])
        play_on(match, Random("second lock"), 3)
        spectator = next(viewer for viewer in outsiders(match) if viewer.name == "spectator")
        before = pages(spectator, match)
        finish(match, Random("second lock"))
        assert pages(spectator, match) == before


def test_nobody_else_opens_the_socket_of_a_board() -> None:
    match = board_of(offered_variants()["kozel"])
    for viewer in outsiders(match):
        if viewer.user is not None:
            with pytest.raises(Http404):
                heartbeats.admit_page(viewer.user, match.slug, {})


def everything(_viewer: object) -> Q:
    return Q(finished_at__isnull=False)


PLANTED = {
    "the table": (delayed, "sees_delayed", lambda _table, _user, _now: False, "/match/"),
    "the list of matches": (queries, "listed_matches", everything, "/matches/"),
    "a person's list": (queries, "listed_seats", everything, "/people/"),
    "the time of the close": (disclosure, "NOT_BEFORE_CLOSE", datetime(2025, 1, 1, tzinfo=UTC), "/match/"),
}


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    module, name, value, part = PLANTED[request.param]
    monkeypatch.setattr(module, name, value)
    if module is delayed:  # that nobody else gets to the table is tested above
        monkeypatch.setattr(access, "can_see", lambda _user, _match: True)
    return part


@pytest.mark.parametrize("planted", PLANTED, indirect=True)
def test_planted_leak_is_found(planted: str) -> None:
    chance = Random("planted")
    with time_machine.travel(NOON, tick=False):
        match = board_of(offered_variants()["kozel"])
        play_on(match, chance, 3)
        spectator = next(viewer for viewer in outsiders(match) if viewer.name == "spectator")
        before = pages(spectator, match)
        finish(match, chance)
        changed = {address for address, text in pages(spectator, match).items() if before[address] != text}
        assert any(planted in address for address in changed)


class TestTournament:
    """While a board of a tournament is open, its pages and its sockets say nothing of how any table of it is doing."""

    def outsiders(self, match: Match, last: Match) -> list[Viewer]:
        """Return all but the players of a match: also a person who still plays the same deal at the last table."""
        return [*outsiders(match), new_viewer("entrant", last.seats.earliest("index").user)]

    def pages(self, viewer: Viewer, tournament: Tournament, match: Match) -> dict[str, bytes]:
        addresses = [address for address in match_addresses(match) if address not in form_addresses(match)]
        own = f"/tournament/{tournament.slug}/"
        own_pages = [f"{own}{page}" for page in ("", "board/1/", "events.json", "start.ics")]
        users = match.seats.values_list("user", flat=True)
        people = [f"/people/{user}/{page}" for user in users for page in ("", *STREAMS)]
        update = viewer.client.get(own, headers={"HX-Request": "true"}).content  # the zones that the socket sends, too
        texts = responses(viewer, ["/tournaments/", *own_pages, *addresses, *people, *LISTS]) | {"update": update}
        return texts | api_responses(viewer, api_addresses(match, tournament.slug))

    def begin(self) -> tuple[Tournament, list[Match]]:
        tournament = duplicate()
        people = entrants(tournament, *"ABCDEF")
        begin_round(START, people)
        return tournament, running_matches()

    def count(self, tournament: Tournament, tables_over: int) -> None:
        run_clock(START + 10 * SECOND, passes=2)
        assert tournament.tables.filter(stage="over").count() == tables_over

    def test_no_page_changes_while_tables_of_the_board_are_played_and_end(self) -> None:
        with time_machine.travel(START, tick=False):
            tournament, (match, other, last) = self.begin()
            viewers = self.outsiders(match, last)
            before = [self.pages(viewer, tournament, match) for viewer in viewers]
            assert all(texts[f"/tournament/{tournament.slug}/"][:3] == b"200" for texts in before)
            assert all(b'"standing"' in texts[f"/api/tournament/{tournament.slug}"] for texts in before)
            finish(match, Random("one"))
            finish(other, Random("other"))
            self.count(tournament, 2)
            clear_match_caches()
            for viewer, texts in zip(viewers, before, strict=True):
                now = self.pages(viewer, tournament, match)
                assert {address for address, text in now.items() if texts[address] != text} == set(), viewer.name

    @pytest.mark.parametrize("planted", ["standing", "facts", "tables"])
    def test_planted_leak_of_the_page_is_found(self, planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
        with time_machine.travel(START, tick=False):
            tournament, (match, *_others) = self.begin()
            viewer = new_viewer("anonymous")
            before = self.pages(viewer, tournament, match)
            finish(match, Random("one"))
            self.count(tournament, 1)
            if planted == "standing":
                monkeypatch.setattr(State, "disclosed_tables", property(lambda state: state.tables))
            elif planted == "facts":
                monkeypatch.setattr(reading, "_is_secret", lambda _state, _event: False)
            else:
                monkeypatch.setattr(State, "is_board_open", property(lambda _state: False))
            changed = {
                address for address, text in self.pages(viewer, tournament, match).items() if before[address] != text
            }
            assert f"/tournament/{tournament.slug}/" in changed
