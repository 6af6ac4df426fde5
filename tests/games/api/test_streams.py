"""Streams send complete lines to everybody who can see the match, and end with the token."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from channels.layers import get_channel_layer
from django.test import Client
from django.utils import timezone

from accounts import blocks
from accounts.models import ApiToken, User
from accounts.services import end_access
from accounts.tokens.issuing import revoke_token
from games.api import streams
from games.api.match_json import events_data
from games.broadcast import announcements, groups
from games.broadcast.memory_layer import MemoryLayer
from games.engine.tiles import tile_text
from games.engine.variants import rules_for
from games.engine.view import view_for
from games.engine.view_json import view_to_data
from games.lobby import bot_tables
from games.match.disclosure import DELAY_SECONDS
from games.models import Entry, Match, Seat
from games.tournaments import entering
from games.tournaments.conditions import Conditions
from infrastructure.server.connection import STREAM_RESTART_MESSAGE
from tests.games import tables
from tests.games.api.stream_reader import read_stream, secret_of
from tests.games.api.test_document import STREAMS, all_operations, api_document, faults
from tests.games.reviewed import stop_match
from tests.games.socket_browser import WAIT_SECONDS, in_thread
from tests.games.tournaments.test_pages import upcoming

pytestmark = pytest.mark.django_db(transaction=True)


def path_of(match: Match) -> str:
    return f"/api/stream/match/{match.slug}"


async def test_player_gets_their_view_after_each_move(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people)
    player = await in_thread(tables.player_to_move)(match)
    reader = await read_stream(path_of(match), await in_thread(secret_of)(player))
    assert reader.status == 200
    line = await reader.next_line()
    state = await in_thread(tables.state_of)(match)
    rules = rules_for(match.variant)
    assert line["view"] == view_to_data(view_for(rules, state, state.round.to_move))
    assert line["seat"] == line["view"]["seat"] == state.round.to_move
    moved = await in_thread(tables.make_first_move)(match)
    assert (await reader.next_line())["version"] == moved.version
    await reader.leave()


async def test_stream_has_no_hidden_tile(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people)
    state = await in_thread(tables.state_of)(match)
    stranger = await in_thread(tables.person)("Zoe")
    for user, seat in [(stranger, None), (people[0], 0)]:
        reader = await read_stream(path_of(match), await in_thread(secret_of)(user))
        text = (await reader.next_bytes()).decode()
        hidden = [tile for index, hand in enumerate(state.hands) if index != seat for tile in hand]
        assert not [tile for tile in (*hidden, *state.boneyard) if f'"{tile_text(tile)}' in text]
        await reader.leave()


async def test_stream_of_a_person_has_no_hand_and_keeps_no_seat(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people)
    reader = await read_stream(path_of(match), await in_thread(secret_of)(people[0], ("read",)))
    line = await reader.next_line()
    assert (line["seat"], line["view"]["seat"], line["view"]["hands"]) == (None, None, [None, None])
    await reader.leave()
    assert (await in_thread(Seat.objects.get)(match=match, user=people[0])).left_at is None


async def test_line_equals_the_response_to_a_request(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people)
    secret = await in_thread(secret_of)(people[0])
    reader = await read_stream(path_of(match), secret)
    line = await reader.next_line()
    headers = {"authorization": f"Bearer {secret}"}
    assert line == (await in_thread(Client().get)(f"/api/match/{match.slug}", headers=headers)).json()
    await reader.leave()


async def test_delay_holds_for_streams(people: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DELAY_SECONDS, "30", 60)
    match = await in_thread(tables.running_table)(people, delay="30")
    await in_thread(tables.make_first_move)(match)
    stranger = await in_thread(tables.person)("Zoe")
    reader = await read_stream(path_of(match), await in_thread(secret_of)(stranger))
    line = await reader.next_line()
    assert line["view"] is None or not line["view"]["moves"]
    await reader.leave()


@pytest.mark.parametrize(
    ("scopes", "path", "status"),
    [
        (("read",), "/api/stream/events", 403),
        (("bot:play",), "/api/stream/match/{slug}", 403),
        (("read",), "/api/stream/match/no-such-match", 404),
        ((), "/api/stream/events", 401),
    ],
)
async def test_refusals(people: list[User], scopes: tuple[str, ...], path: str, status: int) -> None:
    match = await in_thread(tables.running_table)(people)
    secret = await in_thread(secret_of)(people[0], scopes) if scopes else "wrong"
    reader = await read_stream(path.format(slug=match.slug), secret)
    assert reader.status == status
    line = await reader.next_line()
    assert line["error"]
    assert line["text"]
    assert reader.is_over


async def test_errors_are_those_of_endpoints(people: list[User]) -> None:
    secret = await in_thread(secret_of)(people[0], ("read",))
    for path, token in (("match/no-such-match", secret), ("match/no-such-match", "dom_wrong")):
        headers = {"authorization": f"Bearer {token}"}
        response = await in_thread(Client().get)(f"/api/{path}", headers=headers)
        reader = await read_stream(f"/api/stream/{path}", token)
        assert (reader.status, await reader.next_line()) == (response.status_code, response.json())
        assert reader.headers.get(b"www-authenticate", b"").decode() == response.headers.get("WWW-Authenticate", "")


async def test_stream_needs_a_token_and_get() -> None:
    reader = await read_stream("/api/stream/events", "")
    assert (reader.status, (await reader.next_line())["error"]) == (401, "no_token")
    for method in ("POST", "HEAD"):
        reader = await read_stream("/api/stream/events", "", method=method)
        assert (reader.status, reader.headers[b"allow"]) == (405, b"GET")
        assert (await reader.next_line())["error"] == "method_not_allowed"


async def test_streams_of_bots_end_with_the_access_of_the_owner(people: list[User]) -> None:
    bot = await in_thread(tables.person)("Goat [bot]", bot_owner=people[0])
    reader = await read_stream("/api/stream/events", await in_thread(secret_of)(bot))
    await reader.next_line()
    await in_thread(end_access)(user_id=people[0].pk, code="password")
    assert (await reader.next_line())["error"] == "ended"


async def test_revoked_token_ends_the_stream(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people)
    reader = await read_stream(path_of(match), await in_thread(secret_of)(people[0]))
    await reader.next_line()
    token = await in_thread(ApiToken.objects.get)(user=people[0])
    await in_thread(revoke_token)(user=people[0], token_id=token.pk)
    assert (await reader.next_line())["error"] == "ended"
    assert reader.is_over


async def test_blocked_spectator_loses_the_stream(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people)
    stranger = await in_thread(tables.person)("Zoe")
    reader = await read_stream(path_of(match), await in_thread(secret_of)(stranger))
    await reader.next_line()
    await in_thread(blocks.block)(blocker=people[0], blocked=stranger)
    assert (await reader.next_line())["error"] == "not_found"


async def test_stream_keeps_the_seat(people: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 0.2)
    match = await in_thread(tables.running_table)(people)
    reader = await read_stream(path_of(match), await in_thread(secret_of)(people[0]))
    await reader.next_line()
    seat = await in_thread(Seat.objects.get)(match=match, user=people[0])
    for _number in range(2):  # the lease is renewed after each, so certainly before the second
        assert await reader.next_bytes() == b"\n"
    assert (await in_thread(Seat.objects.get)(pk=seat.pk)).last_seen > seat.last_seen
    await reader.leave()
    assert (await in_thread(Seat.objects.get)(pk=seat.pk)).left_at is not None


async def test_stream_that_stays_open_keeps_the_seat_when_another_ends(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people)
    secret = await in_thread(secret_of)(people[0])
    first, second = await read_stream(path_of(match), secret), await read_stream(path_of(match), secret)
    for reader in (first, second):
        await reader.next_line()
    await second.leave()
    async with asyncio.timeout(20):
        while (await in_thread(Seat.objects.get)(match=match, user=people[0])).left_at is not None:
            await asyncio.sleep(0.05)
    await first.leave()


async def test_restart_of_the_site_ends_the_stream_but_keeps_the_seat(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people)
    reader = await read_stream(path_of(match), await in_thread(secret_of)(people[0]))
    await reader.next_line()
    await reader.send_input(STREAM_RESTART_MESSAGE)
    assert (await reader.next_bytes(), reader.is_over) == (b"", True)
    await reader.wait(timeout=WAIT_SECONDS)
    assert (await in_thread(Seat.objects.get)(match=match, user=people[0])).left_at is None


async def test_lines_are_those_of_the_document(people: list[User]) -> None:
    match, document = await in_thread(tables.running_table)(people), await in_thread(api_document)()
    secret = await in_thread(secret_of)(people[0])
    for path, method, operation in all_operations(document):
        if path.startswith(STREAMS):
            reader = await read_stream(path.format(slug=match.slug), secret, method=method.upper())
            schema = operation["responses"]["200"]["content"]["application/x-ndjson"]["schema"]
            assert faults(await reader.next_line(), schema, document) == []
            await reader.leave()


async def test_empty_lines_come_while_only_invisible_things_change(
    people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 0.5)
    match = await in_thread(tables.running_table)(people)
    reader = await read_stream(path_of(match), await in_thread(secret_of)(people[0]))
    await reader.next_line()

    has_line = asyncio.Event()

    async def change_often() -> None:
        while not has_line.is_set():
            await in_thread(announcements.touch_table)(match.pk)
            await asyncio.sleep(0.1)

    changes = asyncio.create_task(change_often())
    try:
        assert await reader.next_bytes() == b"\n"
    finally:
        has_line.set()
        await changes
    await reader.leave()


async def test_events_name_matches_and_their_ends(people: list[User]) -> None:
    reader = await read_stream("/api/stream/events", await in_thread(secret_of)(people[0]))
    assert (await reader.next_line()) == {"matches": [], "invitations": []}
    await reader.leave()
    match = await in_thread(tables.running_table)(people)
    reader = await read_stream("/api/stream/events", await in_thread(secret_of)(people[0], name="two"))
    (row,) = (await reader.next_line())["matches"]
    assert row == {"slug": match.slug, "variant": match.variant, "status": "running", "seat": 0}
    await reader.leave()


async def test_events_name_the_tables_at_which_bots_sit_down_at_once(
    people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "KEEP_ALIVE_SECONDS", 1000.0)
    bots = [await in_thread(tables.person)(f"{name} [bot]", bot_owner=people[0]) for name in ("Goat", "Kid")]
    readers = [await read_stream("/api/stream/events", await in_thread(secret_of)(bot)) for bot in bots]
    for reader in readers:
        assert (await reader.next_line())["matches"] == []
    match = await in_thread(bot_tables.open_table)(bot=bots[0], variant="kozel", seats=3, options={}, clock="none")
    row = {"slug": match.slug, "variant": "kozel", "status": "open"}
    assert (await readers[0].next_line())["matches"] == [row | {"seat": 0}]
    await in_thread(bot_tables.sit)(match=match, bot=bots[1], index=None)
    assert (await readers[1].next_line())["matches"] == [row | {"seat": 1}]
    for reader in readers:
        await reader.leave()


async def test_event_stream_hears_only_of_unfinished_matches(people: list[User]) -> None:
    match = await in_thread(tables.running_table)(people)
    group, layer = groups.match_group(match.slug), cast("MemoryLayer", get_channel_layer())
    reader = await read_stream("/api/stream/events", await in_thread(secret_of)(people[0]))
    await reader.next_line()
    assert len(layer.groups[group]) == 1
    await in_thread(stop_match)(match)
    assert (await reader.next_line())["matches"] == []
    assert group not in layer.groups
    await reader.leave()


async def test_change_while_an_event_stream_joins_a_match_is_not_lost(
    people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await in_thread(tables.running_table)(people)
    reads: list[int] = []

    def end_match_after_first_read(user_id: int) -> dict[str, Any]:
        data = events_data(user_id)
        reads.append(user_id)
        if len(reads) == 1:
            stop_match(match)
        return data

    monkeypatch.setattr(streams, "events_data", end_match_after_first_read)
    reader = await read_stream("/api/stream/events", await in_thread(secret_of)(people[0]))
    assert (await reader.next_line())["matches"] == []
    await reader.leave()


async def test_too_many_streams_are_refused(people: list[User], settings: Any) -> None:
    settings.PLACES = settings.PLACES | {"streams": {"account": 1}}
    secret = await in_thread(secret_of)(people[0])
    first = await read_stream("/api/stream/events", secret)
    await first.next_line()
    second = await read_stream("/api/stream/events", secret)
    assert second.status == 429
    assert int(second.headers[b"retry-after"]) > 0
    await first.leave()


async def test_open_stream_of_events_waits_for_the_tables_of_tournaments() -> None:
    def enter() -> tuple[str, Entry]:
        bot = tables.person("Goat [bot]", bot_owner=tables.person("Max"))
        entry = entering.enter(tournament=upcoming(conditions=Conditions(bots=True)), user=bot, now=timezone.now())
        Entry.objects.update(seen_at=None)
        return secret_of(bot), entry

    secret, entry = await in_thread(enter)()
    reader = await read_stream("/api/stream/events", secret)
    await reader.next_line()
    await in_thread(entry.refresh_from_db)()
    assert entry.seen_at is not None
    await reader.leave()
    await in_thread(entry.refresh_from_db)()
    assert entry.seen_at is None


async def test_bot_waits_for_tables_while_one_of_its_streams_is_open() -> None:
    def enter() -> tuple[list[str], Entry]:
        bot = tables.person("Goat [bot]", bot_owner=tables.person("Max"))
        entry = entering.enter(tournament=upcoming(conditions=Conditions(bots=True)), user=bot, now=timezone.now())
        return [secret_of(bot, name=name) for name in ("one", "two", "three")], entry

    secrets, entry = await in_thread(enter)()
    oldest, middle, newest = [await read_stream("/api/stream/events", secret) for secret in secrets]
    await middle.next_line()
    await oldest.leave()  # another one was noted later
    await in_thread(entry.refresh_from_db)()
    assert entry.seen_at is not None
    await newest.leave()  # the other one is asked
    async with asyncio.timeout(WAIT_SECONDS):
        while (await in_thread(Entry.objects.get)()).seen_at is None:
            await asyncio.sleep(0)
    await middle.leave()
    await in_thread(entry.refresh_from_db)()
    assert entry.seen_at is None
