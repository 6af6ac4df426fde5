"""Downloads of a running match and pages of uploaded records contain no hidden tile."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

import pytest
import time_machine
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from games.engine.evolve import fold
from games.engine.playout import playout
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.transcript import Entry, read, write
from games.engine.transcript_head import TITLE_PREFIX
from games.engine.view import view_for
from games.history import download_views
from games.history.queries import MatchFilter
from games.match import record
from games.models import Match, Seat
from games.records import exports
from games.records.imported_match import ImportedMatch
from games.rendering.sprites import sprite_sheet
from games.review import steps
from games.services import play
from games.words import offered_variants
from tests.games import tables
from tests.test_leaks import GAMES, compare_worlds, leaked, make_random_move, play_into_round, small_table
from tests.test_leaks_delay import NOON
from tests.test_leaks_review import PUBLIC
from tests.viewers import Viewer, all_viewers, responses, start_rated_match

pytestmark = [pytest.mark.django_db, pytest.mark.filterwarnings("ignore:StreamingHttpResponse"), pytest.mark.seed(1)]
MATCH_DOWNLOADS = ("match-record", "match-transcript", "match-verify")
HARMLESS_PATTERN = re.compile(rf"{PUBLIC.pattern}|Seat \d")
PERSON_DOWNLOADS = ("person", "person-records", "person-transcripts", "person-table")


# Exports


class Exported(NamedTuple):
    """A running match, whose players have finished another one, and its downloads."""

    match: Match
    state: State
    viewers: list[Viewer]
    of_match: list[str]
    of_people: list[str]

    def compare(self, viewer: Viewer, chance: Random) -> tuple[dict[str, bytes], set[str]]:
        """Return the downloads, and the addresses of those that differ in another world."""
        addresses = ["/matches/", *self.of_match, *self.of_people]
        return compare_worlds(viewer, self.match, chance, partial(responses, viewer, addresses))


def exported(rules: Rules, chance: Random) -> Exported:
    match = start_rated_match(rules, small_table(rules))
    people = [seat.user for seat in match.seats.order_by("index")]
    finished_match = tables.running_table(people, variant=rules.key)
    for _move in range(4):
        make_random_move(finished_match, chance)
    play.stop_match(match_id=finished_match.pk)
    return Exported(
        match,
        play_into_round(1, match, chance),
        [viewer for viewer in all_viewers(match) if viewer.name in ("seat 1", "spectator", "moderator")],
        [reverse(name, args=[match.slug]) for name in MATCH_DOWNLOADS],
        [reverse(name, args=[person.pk]) for name in PERSON_DOWNLOADS for person in people],
    )


@pytest.mark.parametrize("rules", GAMES)
def test_no_export_contains_a_hidden_tile(rules: Rules) -> None:
    chance = Random("exports")
    with time_machine.travel(NOON, tick=False):
        downloads = exported(rules, chance)
        for viewer in downloads.viewers:
            texts, different = downloads.compare(viewer, chance)
            assert different == set(), viewer.name
            for address in downloads.of_match:
                assert leaked(texts[address].decode(), downloads.state, viewer.seat) == set(), (viewer.name, address)
            streams = [texts[address].decode() for address in downloads.of_people if address.endswith(".txt")]
            assert [stream.count(TITLE_PREFIX) for stream in streams] == [1] * len(streams)


def match_downloads(match: Match, viewer: Viewer) -> dict[str, bytes]:
    return responses(viewer, [reverse(name, args=[match.slug]) for name in MATCH_DOWNLOADS])


@pytest.mark.parametrize("rules", GAMES[2:3])
def test_exports_contain_the_finished_rounds_and_nothing_of_the_running_one(rules: Rules) -> None:
    chance = Random("rounds")
    with time_machine.travel(NOON, tick=False):
        match = start_rated_match(rules, small_table(rules))
        state = play_into_round(2, match, chance)
        secret = Match.objects.values_list("secret", flat=True).get(pk=match.pk)
        for viewer in all_viewers(match):
            texts, different = compare_worlds(viewer, match, chance, partial(match_downloads, match, viewer))
            assert different == set(), viewer.name
            for text in texts.values():
                assert secret.encode() not in text
                assert state.round.commitment.encode() not in text
            events = json.loads(texts[f"/match/{match.slug}/record/"].removeprefix(b"200 "))["events"]
            assert [row["round"] for row in events if row["kind"] == "round_dealt"] == [1]
            assert events[-1]["kind"] == "key_revealed"
            assert b'id="verify-deals"' in texts[f"/match/{match.slug}/verify/"]


def test_leak_of_the_running_round_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("rounds")
    match = start_rated_match(next(iter(offered_variants().values())), 2)
    play_into_round(2, match, chance)
    monkeypatch.setattr(record, "version_of_last_round_end", lambda _match_id, version: version)
    viewer = all_viewers(match)[0]
    assert compare_worlds(viewer, match, chance, partial(match_downloads, match, viewer))[1]


def all_seats(filters: MatchFilter, _viewer: object) -> QuerySet[Seat]:
    """Return the person's seats, also in running matches."""
    return Seat.objects.filter(user=filters.person_id).order_by("match_id")


PLANTED = {
    "the record too early": (exports, "is_over_for", lambda _user, _match: True, "/record/"),
    "the transcript too early": (exports, "is_over_for", lambda _user, _match: True, "/record.txt"),
    "a running match in a stream": (download_views, "seats_of_person", all_seats, "/matches.jsonl"),
    "a running match in a stream of texts": (download_views, "seats_of_person", all_seats, "/matches.txt"),
}


def test_leaks_into_exports_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("planted")
    downloads = exported(next(iter(offered_variants().values())), chance)
    viewer = downloads.viewers[0]
    for name, (module, function, careless, ending) in PLANTED.items():
        of_match, of_people = (
            [page for page in pages if page.endswith(ending)] for pages in (downloads.of_match, downloads.of_people)
        )
        with monkeypatch.context() as planted:
            planted.setattr(module, function, careless)
            texts, different = downloads._replace(of_match=of_match, of_people=of_people).compare(viewer, chance)
        assert [address for address in different if address.endswith(ending)], name
        if ending == "/record/":
            assert leaked(texts[of_match[0]].decode(), downloads.state, viewer.seat)


# Uploaded records


def uploaded_round(rules: Rules, client: Client) -> Callable[[str], set[Tile]]:
    """Upload an unfinished round. Return what its page spells of the hidden tiles, by perspective."""
    events = playout(rules, small_table(rules), {}, "brought", leave_after=9)
    text = write([Entry(event) for event in events])
    address = client.post("/review/import/", {"text": text}).headers["Location"]
    step = ImportedMatch.from_entries(read(text)).match_steps.steps[-2]
    state = fold(events[: step.version])

    def spelled(perspective: str) -> set[Tile]:
        page = client.get(address, {"at": str(step.number), "as": perspective}).content.decode()
        assert 'id="board"' in page
        seat = int(perspective) if perspective.isdecimal() else None
        return leaked(HARMLESS_PATTERN.sub("", page.replace(sprite_sheet(rules.key), "")), state, seat)

    return spelled


@pytest.mark.parametrize("rules", GAMES)
def test_an_uploaded_record_shows_only_what_the_perspective_saw(
    rules: Rules, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    spelled = uploaded_round(rules, client)
    for perspective in ("public", "0", "1"):
        assert spelled(perspective) == set()
    assert spelled("open")
    # A leak is found.
    careless = lambda rules, state, _seat, open_hands: view_for(rules, state, None, open_hands=True)  # noqa: E731
    monkeypatch.setattr(steps, "view_for", careless)
    assert spelled("0")
