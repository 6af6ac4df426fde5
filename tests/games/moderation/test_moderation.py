"""What moderators do to tables."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection

from accounts import notices
from accounts.models import ModerationAct, User
from accounts.sanctions import imposing
from games.broadcast import groups
from games.engine.events import KeyRevealed, MatchEnded, SecretRevealed
from games.errors import Refused
from games.lobby import tables as lobby_tables
from games.match import record, selectors
from games.models import Match, Message, RatingPoints
from games.moderation import acts
from games.services import play
from games.services.moves import make_move
from tests.games import tables
from tests.games.conftest import Announced
from tests.games.socket_browser import watch

pytestmark = pytest.mark.django_db
in_thread = database_sync_to_async


def last_act() -> tuple[Any, ...]:
    return ModerationAct.objects.order_by("pk").values_list("act", "user", "target", "reason").last()


def ended(match: Match) -> MatchEnded:
    return next(event for _seq, event, _at in record.read(match.pk) if isinstance(event, MatchEnded))


@pytest.mark.parametrize(("act", "status"), [("stop", "stopped"), ("void", "void")])
def test_a_running_match_ends_without_winner_or_rating_and_reveals_its_deal(
    moderator: User, announced: Announced, act: str, status: str
) -> None:
    match = tables.running_table([tables.person(), tables.person()], rated=True)
    announced.clear()
    getattr(acts, f"{act}_match")(moderator=moderator, match=match, reason="a ring")
    match.refresh_from_db()
    assert match.status == status
    assert ended(match) == MatchEnded("moderated" if act == "stop" else act, None, "", (), (), ())
    kinds = [type(event) for _seq, event, _at in record.read(match.pk)]
    assert kinds[-3:] == [MatchEnded, KeyRevealed, SecretRevealed]
    assert not RatingPoints.objects.exists()
    assert (groups.match_group(match.slug), {"type": "match.changed", "revision": match.revision}) in announced
    assert last_act() == (act, None, f"match:{match.slug}", "a ring")


def test_nobody_moves_in_a_match_that_was_stopped_and_its_players_are_told_why(moderator: User) -> None:
    match = tables.running_table([tables.person(), tables.person()])
    player, move = tables.to_move(match), tables.first_move(match)
    acts.stop_match(moderator=moderator, match=match, reason="You kept the others waiting again and again.")
    player.refresh_from_db()
    (told,) = notices.pending(player)
    assert told.text.startswith("A moderator stopped your match of Kozel of ")
    assert told.text.endswith(". Reason: You kept the others waiting again and again.")
    row = tables.row_of(match)
    with pytest.raises(Refused, match="finished"):
        make_move(match_id=match.pk, user_id=player.pk, move=move, version=row.version)
    assert row.due_at is None


def test_a_stopped_match_cannot_be_stopped_again_but_made_void_once(moderator: User) -> None:
    match = tables.running_table([tables.person(), tables.person()])
    acts.stop_match(moderator=moderator, match=match, reason="x")
    with pytest.raises(Refused, match="finished"):
        acts.stop_match(moderator=moderator, match=match, reason="x")
    acts.void_match(moderator=moderator, match=match, reason="x")
    with pytest.raises(ValidationError, match="already void"):
        acts.void_match(moderator=moderator, match=match, reason="x")
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    assert ModerationAct.objects.count() == 2


def test_a_finished_match_that_is_made_void_gives_its_rating_points_back(moderator: User) -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben], rated=True)
    tables.play_round(match)
    play.leave(match_id=match.pk, user_id=ann.pk)
    assert RatingPoints.objects.get(user=ben).points > 0
    acts.void_match(moderator=moderator, match=match, reason="agreed beforehand")
    assert RatingPoints.objects.filter(points=0, matches=0).count() == 2
    match.refresh_from_db()
    assert match.status == Match.Status.VOID


@pytest.mark.stack
@pytest.mark.parametrize("act", [acts.stop_match, acts.void_match])
def test_an_open_table_is_cleared_and_closed(moderator: User, act: Callable[..., object]) -> None:
    ann = tables.person("Ann")
    match = tables.open_table([ann, tables.person()])
    act(moderator=moderator, match=match, reason="a rude name")
    match.refresh_from_db()
    ann.refresh_from_db()
    said = [notice.text for notice in notices.pending(ann)]
    assert said == ["A moderator closed the table of Kozel where you sat. Reason: a rude name."]
    assert match.status == Match.Status.VOID
    assert not match.seats.filter(user__isnull=False).exists()
    assert match.version == 0


def test_a_person_removed_from_an_open_table_stands_up_and_the_others_stay(moderator: User) -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.open_table([ann, ben])
    acts.remove_from_seat(moderator=moderator, seat=match.seats.get(user=ann), reason="idle")
    match.refresh_from_db()
    assert list(match.seats.order_by("index").values_list("user", flat=True)) == [None, ben.pk]
    assert match.status == Match.Status.OPEN
    assert match.host == ben
    assert last_act() == ("remove", ann.pk, f"seat:{match.slug}/0", "idle")


def test_removed_from_a_casual_match_a_bot_plays_on_and_the_person_cannot_come_back(moderator: User) -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben])
    acts.remove_from_seat(moderator=moderator, seat=match.seats.get(user=ann), reason="abuse")
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    assert match.seats.get(index=0).bot
    assert selectors.table(match.pk).people[0].kind == "bot"
    with pytest.raises(Refused, match="not_seated"):
        play.ready(match_id=match.pk, user_id=ann.pk)


def test_removed_from_a_rated_match_the_person_has_left_by_the_rules(moderator: User) -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben], rated=True)
    tables.play_round(match)
    acts.remove_from_seat(moderator=moderator, seat=match.seats.get(user=ann), reason="abuse")
    assert (ended(match).reason, ended(match).seat, ended(match).losers) == ("left", 0, (0,))
    assert RatingPoints.objects.get(user=ben).points > 0
    assert match.seats.get(index=0).user == ann


def test_nobody_is_removed_from_a_seat_where_nobody_sits_or_after_the_match(moderator: User) -> None:
    match = tables.running_table([tables.person()], bots=1)
    with pytest.raises(ValidationError, match="This seat is empty"):
        acts.remove_from_seat(moderator=moderator, seat=match.seats.get(index=1), reason="x")
    acts.stop_match(moderator=moderator, match=match, reason="x")
    with pytest.raises(Refused, match="finished"):
        acts.remove_from_seat(moderator=moderator, seat=match.seats.get(index=0), reason="x")


@pytest.mark.stack
def test_a_suspended_person_leaves_every_table_and_all_sockets_close(moderator: User, announced: Announced) -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    waiting, casual = tables.open_table([ann, ben]), tables.running_table([ann, ben])
    rated, over = tables.running_table([ann, ben], rated=True), tables.running_table([ann, ben])
    play.stop(match_id=over.pk)
    imposing.impose(moderator=moderator, user=ann, kind="suspend", reason="cheating", until=None)
    assert not waiting.seats.filter(user=ann).exists()
    assert casual.seats.get(user=ann).bot
    assert ended(rated).reason == "left"
    assert ended(over).reason == "stopped"
    closed = [message for group, message in announced if group == groups.user_group(ann.pk)]
    assert closed == [{"type": "user.closed", "code": "suspended", "session": ""}]


@pytest.mark.django_db(transaction=True)
def test_nobody_sits_down_while_being_suspended(moderator: User) -> None:
    """Five times both at once: whoever is first, the suspended person ends up at no table."""
    for _ in range(5):
        ann = tables.person("Ann")
        match = tables.open_table([tables.person("Ben"), ann])
        lobby_tables.stand_up(match=match, user=ann)
        suspension: dict[str, Any] = {
            "moderator": moderator,
            "user": ann,
            "kind": "suspend",
            "reason": "cheating",
            "until": None,
        }
        with ThreadPoolExecutor(2) as threads:
            sitting = threads.submit(in_own_connection, lambda: lobby_tables.sit(match=match, user=ann))  # noqa: B023
            threads.submit(in_own_connection, lambda: imposing.impose(**suspension)).result()  # noqa: B023
        refusal = sitting.exception()
        assert refusal is None or (isinstance(refusal, Refused) and refusal.code == "suspended")
        assert not match.seats.filter(user=ann).exists()


def in_own_connection(work: Callable[[], object]) -> object:
    try:
        return work()
    finally:
        connection.close()


def test_a_suspended_person_does_not_come_back_to_the_seat_a_bot_keeps(moderator: User) -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben])
    imposing.impose(moderator=moderator, user=ann, kind="suspend", reason="cheating", until=None)
    with pytest.raises(Refused, match="suspended"):
        play.ready(match_id=match.pk, user_id=ann.pk)


@pytest.fixture
def message() -> Message:
    match = tables.open_table([tables.person("Ann"), tables.person("Ben")])
    return Message.objects.create(match=match, user=match.host, name="Ann", text="a rude word")


ACTS: dict[str, Callable[..., None]] = {
    "stop": lambda by, match, reason: acts.stop_match(moderator=by, match=match, reason=reason),
    "void": lambda by, match, reason: acts.void_match(moderator=by, match=match, reason=reason),
    "remove": lambda by, match, reason: acts.remove_from_seat(
        moderator=by, seat=match.seats.get(index=0), reason=reason
    ),
    "settle": lambda by, match, reason: acts.settle_match(moderator=by, seat=match.seats.get(index=0), reason=reason),
    "hide": lambda by, match, reason: acts.hide_message(
        moderator=by, message=Message.objects.create(match=match, name="Ann", text="hello"), reason=reason
    ),
}


@pytest.mark.parametrize("act", ACTS)
def test_an_act_needs_its_permission_and_a_reason(moderator: User, act: str) -> None:
    match = tables.running_table([tables.person(), tables.person()])
    with pytest.raises(PermissionDenied):
        ACTS[act](match.host, match, "because")
    with pytest.raises(ValidationError, match="Give a reason"):
        ACTS[act](moderator, match, " ")
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    assert not ModerationAct.objects.exists()


def test_helpers_mute_and_hide_and_nothing_else(message: Message) -> None:
    helper = User.objects.create(username="helper", is_staff=True)
    helper.groups.add(Group.objects.get(name="Chat moderators"))
    match = message.match
    for act in ("stop", "void", "remove", "settle"):
        with pytest.raises(PermissionDenied):
            ACTS[act](helper, match, "because")
    with pytest.raises(PermissionDenied):
        imposing.impose(moderator=helper, user=match.host, kind="suspend", reason="x", until=None)
    ACTS["hide"](helper, match, "rude")
    imposing.impose(moderator=helper, user=match.host, kind="mute", reason="rude", until=None)


def test_an_administrator_acts_against_the_staff_and_nobody_against_a_superuser() -> None:
    administrator, other = (User.objects.create(username=name, is_staff=True) for name in ("admin", "other"))
    administrator.groups.add(Group.objects.get(name="Administrators"))
    root = User.objects.create(username="root", is_staff=True, is_superuser=True)
    imposing.impose(moderator=administrator, user=other, kind="mute", reason="x", until=None)
    with pytest.raises(ValidationError, match="Only an administrator"):
        imposing.impose(moderator=administrator, user=root, kind="mute", reason="x", until=None)


@pytest.mark.django_db(transaction=True)
async def test_the_last_words_of_a_socket_tell_a_suspended_person_why_in_his_language(moderator: User) -> None:
    ann, ben = await in_thread(tables.person)("Ann"), await in_thread(tables.person)("Ben")
    match = await in_thread(tables.running_table)([ann, ben])
    browser, other = await watch(match, ann, language="hu"), await watch(match, ben)
    until = datetime(2999, 3, 12, 14, tzinfo=UTC)
    await in_thread(imposing.impose)(moderator=moderator, user=ann, kind="suspend", reason="csalás", until=until)
    frame = await browser.frame()
    while "csalás" not in frame:
        frame = await browser.frame()
    assert "2999. március 12." in frame
    assert await browser.closing_code() == 4401
    assert "csalás" not in await other.frame()
