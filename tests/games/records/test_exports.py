"""Finished matches can be downloaded as JSON and as text, with no more than the viewer sees in the history."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from typing import Any

import pytest
from django.test import AsyncClient, Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from games.engine.notation import import_match
from games.engine.transcript import read
from games.engine.transcript_head import TITLE_PREFIX
from games.match import record
from games.match.moments import EPOCH, MILLISECOND
from games.models import Match
from games.records import exports
from games.services import play
from infrastructure.limit_settings import parse_place_limits
from infrastructure.limits import LimitExceeded
from tests.games import tables
from tests.games.socket_browser import in_thread

NAMES = ("person-records", "person-transcripts")
ALL_NAMES = (*NAMES, "person-table")


@pytest.fixture
def people() -> list[User]:
    return [tables.person("Ann"), tables.person("Ben")]


def finished_match(people: list[User], **columns: Any) -> Match:
    match = tables.running_table(people, **columns)
    tables.play_round(match)
    match.refresh_from_db()
    if match.status == Match.Status.RUNNING:
        play.stop_match(match_id=match.pk)
    return match


@pytest.mark.parametrize("account_state", [{"is_closed": True}, {"is_active": False}])
@pytest.mark.parametrize("name", ALL_NAMES)
def test_closed_account_has_no_downloads(people: list[User], name: str, account_state: dict[str, bool]) -> None:
    finished_match(people)
    address = reverse(name, args=[people[0].pk])
    assert tables.browser_of().get(address).status_code == 200
    User.objects.filter(pk=people[0].pk).update(**account_state)
    assert tables.browser_of().get(address).status_code == tables.browser_of(people[1]).get(address).status_code == 404


def test_a_running_match_has_no_transcript_yet(people: list[User]) -> None:
    match = tables.running_table(people)
    answer = tables.browser_of(people[0]).get(reverse("match-transcript", args=[match.slug]))
    assert answer.status_code == 409
    assert "deal" not in answer.content.decode()


def test_the_transcript_is_the_record_with_its_times(people: list[User]) -> None:
    match = finished_match(people)
    answer = tables.browser_of().get(reverse("match-transcript", args=[match.slug]))
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="dominoes-{match.slug}.txt"'
    text = answer.content.decode()
    assert "\n!" not in text
    entries = read(text)
    rows = record.read_events(match.pk)
    assert [entry.event for entry in entries] == [event for _, event, _ in rows]
    moments = [EPOCH + entry.at * MILLISECOND for entry in entries]
    assert [moment.isoformat(timespec="milliseconds") for moment in moments] == [
        at.isoformat(timespec="milliseconds") for _, _, at in rows
    ]


def streamed(client: Client, person_id: int) -> tuple[list[Any], list[Any]]:
    """Return the events of all matches of a person, from the JSON stream and from the transcripts."""
    lines, texts = (b"".join(client.get(reverse(name, args=[person_id]))).decode() for name in NAMES)
    from_json = [list(import_match(json.loads(line))) for line in lines.splitlines()]
    return from_json, [[entry.event for entry in read(TITLE_PREFIX + text)] for text in texts.split(TITLE_PREFIX)[1:]]


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse")
def test_all_matches_of_a_person_come_one_after_another(people: list[User]) -> None:
    matches = [finished_match(people), finished_match(people, variant="rytmino")]
    tables.running_table(people)
    expected = [record.events(match.pk) for match in matches]
    assert streamed(tables.browser_of(), people[0].pk) == (expected, expected)


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse")
def test_matches_by_link_are_streamed_to_their_own_players_only(people: list[User]) -> None:
    public, private = finished_match(people), finished_match(people, visibility="link")
    both = [record.events(match.pk) for match in (public, private)]
    for user, seen in ((people[0], both), (people[1], both), (tables.person("Eve"), both[:1]), (None, both[:1])):
        assert streamed(tables.browser_of(user), people[0].pk) == (seen, seen)


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse")
def test_filters_of_the_page_apply_to_downloads(people: list[User]) -> None:
    finished_match(people)
    rytmino = finished_match(people, variant="rytmino")
    for name in NAMES:
        address = reverse(name, args=[people[0].pk])
        text = b"".join(tables.browser_of().get(address, {"game": "rytmino"})).decode()
        assert text.count(rytmino.slug) >= 1
        assert "kozel" not in text
        assert b"".join(tables.browser_of().get(address, {"to": "2001-01-01"})) == b""
        refused = tables.browser_of().get(address, {"game": "chess"})
        assert refused.status_code == 400
        assert refused.content.decode() == "There is no such game. Choose one from the list."


def test_person_without_public_matches_has_no_download(people: list[User]) -> None:
    finished_match(people, visibility="link")
    tables.running_table(people)
    for name in ALL_NAMES:
        assert tables.browser_of().get(reverse(name, args=[people[0].pk])).status_code == 404
        assert tables.browser_of().get(reverse(name, args=[10**12])).status_code == 404


@pytest.mark.django_db(transaction=True)
async def test_a_stream_is_sent_match_by_match() -> None:
    people = [await in_thread(tables.person)(name) for name in ("Ann", "Ben")]
    for _ in range(2):
        await in_thread(finished_match)(people)
    answer: Any = await AsyncClient().get(reverse("person-transcripts", args=[people[0].pk]))
    parts = [part.decode() async for part in answer.streaming_content]
    assert [part.startswith("dominoes match 2\n") for part in parts] == [True, True]


@pytest.mark.django_db(transaction=True)
async def test_open_download_counts_towards_the_limit(settings: Settings) -> None:
    settings.PLACES |= {"exports": parse_place_limits("2 address, 1 account")}
    people = [await in_thread(tables.person)(name) for name in ("Ann", "Ben")]
    await in_thread(finished_match)(people)
    address = reverse("person-records", args=[people[0].pk])
    ann, ben = [await in_thread(tables.browser_of)(person) for person in people]
    running: list[Any] = [await in_thread(ann.get)(address)]
    assert (await in_thread(ann.get)(address)).status_code == 429
    visitor = AsyncClient()
    running += [await visitor.get(address) for _ in range(2)]
    assert [answer.status_code for answer in running] == [200] * 3
    assert (await visitor.get(address)).status_code == 429
    assert (await in_thread(ben.head)(address)).status_code == 200
    assert (await in_thread(ben.get)(address)).status_code == 200, "visitors do not use up the limit of accounts"
    for answer in running:
        answer.close()
    assert (await visitor.get(address)).status_code == 200
    assert (await in_thread(ann.get)(address)).status_code == 200


async def test_abandoned_download_frees_its_place(settings: Settings) -> None:
    settings.PLACES |= {"exports": parse_place_limits("1 address")}

    def start() -> exports.LimitedStream[str]:
        return exports.LimitedStream(exports.stream_records([], "txt"), address="192.0.2.1", account=None)

    download = start()
    with pytest.raises(LimitExceeded):
        start()
    del download
    gc.collect()
    start()


async def test_streams_take_turns_match_by_match(monkeypatch: pytest.MonkeyPatch) -> None:
    active_reads, max_active, read_order = 0, 0, []

    def read_match(match_id: int) -> int:
        nonlocal active_reads, max_active
        active_reads += 1
        max_active = max(max_active, active_reads)
        time.sleep(0.002)
        active_reads -= 1
        read_order.append(match_id)
        return match_id

    monkeypatch.setattr(exports, "read_record", read_match)
    monkeypatch.setitem(exports.STREAM_FORMATS, "txt", (str, "text/plain"))

    async def read_all(match_ids: list[int]) -> list[str]:
        return [text async for text in exports.stream_records(match_ids, "txt")]

    await asyncio.gather(read_all([1, 2, 3]), read_all([4, 5, 6]))
    assert max_active == 1
    assert read_order == [1, 4, 2, 5, 3, 6]
