"""Acts of moderators on matches, seats and messages."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
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
from tests.games.conftest import Announcements
from tests.games.socket_browser import connect_and_read_frame, in_thread
from tests.moderating import newest_act


def suspend(moderator: User, user: User) -> None:
    imposing.impose(moderator=moderator, user=user, kind="suspend", reason="cheating", until=None)


def end_event(match: Match) -> MatchEnded:
    return next(event for _seq, event, _at in record.read_events(match.pk) if isinstance(event, MatchEnded))


@pytest.mark.parametrize(("act", "status"), [("stop", "stopped"), ("void", "void")])
def test_stopped_and_void_matches_end_without_winner_or_rating_and_reveal_the_deal(
    moderator: User, sent_announcements: Announcements, act: str, status: str
) -> None:
    match = tables.running_table([tables.person(), tables.person()], rated=True)
    sent_announcements.clear()
    getattr(acts, f"{act}_match")(moderator=moderator, match=match, reason="a ring")
    match.refresh_from_db()
    assert match.status == status
    assert end_event(match) == MatchEnded("moderated" if act == "stop" else act, None, "", (), (), ())
    kinds = [type(event) for _seq, event, _at in record.read_events(match.pk)]
    assert kinds[-3:] == [MatchEnded, KeyRevealed, SecretRevealed]
    assert not RatingPoints.objects.exists()
    assert (
        groups.match_group(match.slug),
        {"type": "match.changed", "revision": match.revision},
    ) in sent_announcements
    assert newest_act() == (act, None, f"match:{match.slug}", "a ring")


def test_players_of_a_stopped_match_cannot_move_and_get_the_reason(moderator: User, ann: User, ben: User) -> None:
    match = tables.running_table([ann, ben])
    player, move = tables.player_to_move(match), tables.first_legal_move(match)
    acts.stop_match(moderator=moderator, match=match, reason="You kept the others waiting again and again.")
    player.refresh_from_db()
    (notice,) = notices.pending_notices(player)
    assert notice.text.startswith("A moderator stopped your Kozel match of ")
    assert notice.text.endswith(". Reason: You kept the others waiting again and again.")
    row = tables.locked_row(match)
    with pytest.raises(Refused, match="finished"):
        make_move(match_id=match.pk, user_id=player.pk, move=move, version=row.version)
    assert row.due_at is None


def test_stopped_match_can_become_void_once(moderator: User, ann: User, ben: User) -> None:
    match = tables.running_table([ann, ben])
    acts.stop_match(moderator=moderator, match=match, reason="x")
    with pytest.raises(Refused, match="finished"):
        acts.stop_match(moderator=moderator, match=match, reason="x")
    acts.void_match(moderator=moderator, match=match, reason="x")
    with pytest.raises(ValidationError, match="already void"):
        acts.void_match(moderator=moderator, match=match, reason="x")
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    assert ModerationAct.objects.count() == 2


def test_voiding_a_finished_match_reverses_its_rating_points(moderator: User, ann: User, ben: User) -> None:
    match = tables.running_table([ann, ben], rated=True)
    tables.play_round(match)
    play.leave_match(match_id=match.pk, user_id=ann.pk)
    assert RatingPoints.objects.get(user=ben).points > 0
    acts.void_match(moderator=moderator, match=match, reason="agreed beforehand")
    assert RatingPoints.objects.filter(points=0, matches=0).count() == 2
    match.refresh_from_db()
    assert match.status == Match.Status.VOID


@pytest.mark.stack
@pytest.mark.parametrize("act", [acts.stop_match, acts.void_match])
def test_open_table_is_closed(moderator: User, ann: User, ben: User, act: Callable[..., object]) -> None:
    match = tables.open_table([ann, ben])
    act(moderator=moderator, match=match, reason="a rude name")
    match.refresh_from_db()
    ann.refresh_from_db()
    texts = [notice.text for notice in notices.pending_notices(ann)]
    assert texts == ["A moderator closed the Kozel table where you sat. Reason: a rude name"]
    assert match.status == Match.Status.VOID
    assert not match.seats.filter(user__isnull=False).exists()
    assert match.version == 0


def test_removal_from_an_open_table_frees_the_seat(moderator: User, ann: User, ben: User) -> None:
    match = tables.open_table([ann, ben])
    acts.remove_from_seat(moderator=moderator, seat=match.seats.get(user=ann), reason="idle")
    match.refresh_from_db()
    assert list(match.seats.order_by("index").values_list("user", flat=True)) == [None, ben.pk]
    assert match.status == Match.Status.OPEN
    assert match.host == ben
    assert newest_act() == ("remove", ann.pk, f"seat:{match.slug}/0", "idle")


def test_removal_from_a_casual_match_gives_the_seat_to_a_bot_for_good(moderator: User, ann: User, ben: User) -> None:
    match = tables.running_table([ann, ben])
    acts.remove_from_seat(moderator=moderator, seat=match.seats.get(user=ann), reason="abuse")
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    assert match.seats.get(index=0).bot
    assert selectors.read_table(match.pk).people[0].kind == "bot"
    with pytest.raises(Refused, match="not_seated"):
        play.mark_ready(match_id=match.pk, user_id=ann.pk)


def test_removal_from_a_rated_match_counts_as_leaving(moderator: User, ann: User, ben: User) -> None:
    match = tables.running_table([ann, ben], rated=True)
    tables.play_round(match)
    acts.remove_from_seat(moderator=moderator, seat=match.seats.get(user=ann), reason="abuse")
    assert (end_event(match).reason, end_event(match).seat, end_event(match).losers) == ("left", 0, (0,))
    assert RatingPoints.objects.get(user=ben).points > 0
    assert match.seats.get(index=0).user == ann


def test_bots_and_seats_of_ended_matches_cannot_be_removed(moderator: User, ann: User) -> None:
    match = tables.running_table([ann], bots=1)
    with pytest.raises(ValidationError, match="This seat is empty"):
        acts.remove_from_seat(moderator=moderator, seat=match.seats.get(index=1), reason="x")
    acts.stop_match(moderator=moderator, match=match, reason="x")
    with pytest.raises(Refused, match="finished"):
        acts.remove_from_seat(moderator=moderator, seat=match.seats.get(index=0), reason="x")


@pytest.mark.stack
def test_suspended_person_leaves_all_tables_and_sockets_close(
    moderator: User, ann: User, ben: User, sent_announcements: Announcements
) -> None:
    waiting, casual = tables.open_table([ann, ben]), tables.running_table([ann, ben])
    rated, over = tables.running_table([ann, ben], rated=True), tables.running_table([ann, ben])
    play.stop_match(match_id=over.pk)
    suspend(moderator, ann)
    assert not waiting.seats.filter(user=ann).exists()
    assert casual.seats.get(user=ann).bot
    assert end_event(rated).reason == "left"
    assert end_event(over).reason == "stopped"
    closed = [message for group, message in sent_announcements if group == groups.user_group(ann.pk)]
    assert closed == [{"type": "user.closed", "code": "suspended", "session": ""}]
    with pytest.raises(Refused, match="suspended"):
        play.mark_ready(match_id=casual.pk, user_id=ann.pk)


@pytest.mark.django_db(transaction=True)
def test_concurrent_suspension_and_joining_leave_the_person_at_no_table(moderator: User) -> None:
    for _ in range(5):
        ann = tables.person("Ann")
        match = tables.open_table([tables.person("Ben"), ann])
        lobby_tables.stand_up(match=match, user=ann)
        with ThreadPoolExecutor(2) as threads:
            sitting = threads.submit(in_own_connection, lambda: lobby_tables.sit(match=match, user=ann))  # noqa: B023
            threads.submit(in_own_connection, lambda: suspend(moderator, ann)).result()  # noqa: B023
        refusal = sitting.exception()
        assert refusal is None or (isinstance(refusal, Refused) and refusal.code == "suspended")
        assert not match.seats.filter(user=ann).exists()


def in_own_connection(work: Callable[[], object]) -> object:
    try:
        return work()
    finally:
        connection.close()


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
def test_acts_need_a_permission_and_a_reason(moderator: User, ann: User, ben: User, act: str) -> None:
    match = tables.running_table([ann, ben])
    with pytest.raises(PermissionDenied):
        ACTS[act](match.host, match, "because")
    with pytest.raises(ValidationError, match="Give a reason"):
        ACTS[act](moderator, match, " ")
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    assert not ModerationAct.objects.exists()


def test_chat_moderators_can_only_mute_and_hide(ann: User, ben: User) -> None:
    helper = User.objects.create(username="helper", is_staff=True)
    helper.groups.add(Group.objects.get(name="Chat moderators"))
    match = tables.open_table([ann, ben])
    for act in ("stop", "void", "remove", "settle"):
        with pytest.raises(PermissionDenied):
            ACTS[act](helper, match, "because")
    with pytest.raises(PermissionDenied):
        suspend(helper, ann)
    ACTS["hide"](helper, match, "rude")
    imposing.impose(moderator=helper, user=ann, kind="mute", reason="rude", until=None)


def test_administrators_can_sanction_staff_but_not_superusers() -> None:
    administrator, other = (User.objects.create(username=name, is_staff=True) for name in ("admin", "other"))
    administrator.groups.add(Group.objects.get(name="Administrators"))
    root = User.objects.create(username="root", is_staff=True, is_superuser=True)
    imposing.impose(moderator=administrator, user=other, kind="mute", reason="x", until=None)
    with pytest.raises(ValidationError, match="Only an administrator"):
        imposing.impose(moderator=administrator, user=root, kind="mute", reason="x", until=None)


@pytest.mark.django_db(transaction=True)
async def test_last_frame_of_a_suspended_person_has_the_reason_in_their_language(
    moderator: User, ann: User, ben: User
) -> None:
    match = await in_thread(tables.running_table)([ann, ben])
    browser, other = await connect_and_read_frame(match, ann, language="hu"), await connect_and_read_frame(match, ben)
    until = datetime(2999, 3, 12, 14, tzinfo=UTC)
    await in_thread(imposing.impose)(moderator=moderator, user=ann, kind="suspend", reason="csalás", until=until)
    frame = await browser.next_frame()
    while "csalás" not in frame:
        frame = await browser.next_frame()
    assert "2999. március 12." in frame
    assert await browser.close_code() == 4401
    assert "csalás" not in await other.next_frame()
