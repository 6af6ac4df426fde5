"""What moderators impose beside suspensions, and undoing it: mutes of one place, pauses, closed accounts, renaming."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.test import Client

from accounts import notices
from accounts.models import ModerationAct, Sanction, User
from accounts.names.rules import refuse_taken_name
from accounts.sanctions import imposing
from games.chat import posting
from games.errors import Refused
from games.lobby import tables as lobby_tables
from games.models import Case, Match, Message, RatingChange, Report, Seat
from games.moderation import decisions
from games.ratings import disclosed_ratings
from games.services import rematch
from games.terms.terms import Terms
from tests.games import tables
from tests.games.finished import create_finished_match
from tests.games.tables import browser_of, person

NOW = datetime(2026, 3, 12, 14, tzinfo=UTC)
DAY = timedelta(days=1)
CASUAL, RATED = [Terms("kozel", 2, clock="fast", rated=rated) for rated in (False, True)]
REASON = "You insulted or threatened somebody."
Kind, Scope = Sanction.Kind, Sanction.Scope


def notice_texts(user: User) -> list[str]:
    user.refresh_from_db()
    return [notice.text for notice in notices.pending_notices(user)]


def writes(user: User, match: Match) -> bool:
    try:
        posting.post_message(match=match, user=user, text="hello")
    except Refused as refused:
        return refused.code != "muted"
    return True


class TestWhereAMuteHolds:
    @pytest.fixture
    def places(self, ann: User) -> list[Match]:
        """Return the table where Ann plays, another where she plays, and one that she watches."""
        people = [person(name) for name in ("Ben", "Cleo", "Dora")]
        return [
            tables.running_table([ann, people[0]]),
            tables.running_table([ann, people[1]]),
            tables.running_table(people[1:], visibility="public"),
        ]

    @pytest.mark.parametrize(
        ("scope", "open_to_her"),
        [
            (Scope.EVERYWHERE, [False, False, False]),
            (Scope.SPECTATORS, [True, True, False]),
            (Scope.TABLE, [False, True, True]),
        ],
    )
    def test_mute_applies_to_the_chats_of_its_scope(
        self, ann: User, moderator: User, places: list[Match], scope: str, open_to_her: list[bool]
    ) -> None:
        imposed = imposing.impose(
            moderator=moderator, user=ann, kind=Kind.MUTE, reason=REASON, scope=scope, table=places[0].slug
        )
        assert [writes(ann, match) for match in places] == open_to_her
        pages = [browser_of(ann).get(f"/match/{match.slug}/").text for match in places]
        assert ['id="chat-form"' in page for page in pages] == open_to_her
        imposing.lift(moderator=moderator, sanction=imposed, reason="A mistake.")
        assert [writes(ann, match) for match in places] == [True, True, True]

    def test_table_mute_applies_to_the_rematch(self, ann: User, moderator: User) -> None:
        first = create_finished_match([ann, ben := person("Ben")])
        imposing.impose(
            moderator=moderator, user=ann, kind=Kind.MUTE, reason=REASON, scope=Scope.TABLE, table=first.slug
        )
        again = tables.running_table([ann, ben], series=first)
        assert not writes(ann, again)
        assert writes(ben, again)

    def test_table_mute_needs_a_table(self, ann: User, moderator: User) -> None:
        with pytest.raises(ValidationError, match="no table"):
            imposing.impose(moderator=moderator, user=ann, kind=Kind.MUTE, reason=REASON, scope=Scope.TABLE)

    def test_muted_person_gets_the_scope(self, ann: User, moderator: User) -> None:
        match = tables.running_table([ann, person("Ben")])
        imposing.impose(
            moderator=moderator, user=ann, kind=Kind.MUTE, reason=REASON, scope=Scope.TABLE, table=match.slug
        )
        sentence = f"You are permanently muted at one table and its rematches. Reason: {REASON}"
        assert notice_texts(ann) == [sentence]
        page = browser_of(ann).get("/accounts/sanctions/").text
        assert sentence in page
        assert f'href="/match/{match.slug}/"' in page

    @pytest.mark.stack
    def test_a_decision_mutes_at_the_table_of_the_newest_report(self, ann: User, moderator: User) -> None:
        match = create_finished_match([ann, person("Ben")])
        again = create_finished_match([ann, person("Ben")], series=match)
        case = Case.objects.create(suspect=ann, area="chat")
        Report.objects.create(case=case, reason="insults", match=create_finished_match([ann, person("Eve")]))
        Report.objects.create(case=case, reason="insults", match=again)
        decisions.decide_case(
            moderator=moderator,
            case=case,
            measure="mute",
            scope="table",
            reason=REASON,
        )
        assert Sanction.objects.get().facts == {"table": match.slug}


class TestPause:
    def test_pause_prevents_rated_play(self, ann: User, moderator: User) -> None:
        with time_machine.travel(NOW, tick=False) as clock:
            pause: dict[str, Any] = {
                "moderator": moderator,
                "user": ann,
                "kind": Kind.PAUSE,
                "reason": REASON,
                "until": NOW + DAY,
            }
            lifted = imposing.impose(**pause)
            with pytest.raises(Refused) as refused:
                lobby_tables.open_table(host=ann, terms=RATED)
            assert refused.value.code == "paused"
            assert "Rated play is paused for you until 13 March 2026" in str(refused.value.text)
            assert "Rated play is paused for you until 13 March" in browser_of(ann).get("/conduct/").text
            imposing.lift(moderator=moderator, sanction=lifted, reason="A mistake.")
            lobby_tables.stand_up(match=lobby_tables.open_table(host=ann, terms=RATED), user=ann)
            imposing.impose(**pause)
            clock.shift(DAY)
            assert lobby_tables.open_table(host=ann, terms=RATED).rated

    def test_casual_play_stays_open(self, ann: User, moderator: User) -> None:
        imposing.impose(moderator=moderator, user=ann, kind=Kind.PAUSE, reason=REASON)
        assert lobby_tables.open_table(host=ann, terms=CASUAL).host == ann


class TestClosure:
    def test_closed_account_sees_only_the_reason_and_the_appeal(self, ann: User, moderator: User) -> None:
        match = tables.running_table([ann, person("Ben")])
        closure = imposing.impose(moderator=moderator, user=ann, kind=Kind.CLOSURE, reason=REASON)
        client = browser_of(ann)
        for address in ("/", "/conduct/", f"/match/{match.slug}/"):
            assert client.get(address).headers["Location"] == "/accounts/suspended/"
        assert client.post("/play/", {"variant": "kozel"}).headers["Location"] == "/accounts/suspended/"
        assert f"A moderator has closed your account. Reason: {REASON}" in client.get("/accounts/suspended/").text
        assert client.get("/accounts/data/export/").status_code == 200
        assert client.get("/privacy/").status_code == 200
        client.post(f"/accounts/sanctions/{closure.pk}/appeal/", {"words": "It was my brother."})
        assert closure.appeal.words == "It was my brother."
        assert not match.seats.filter(user=ann, bot="").exists(), "the table is left"

    def test_closed_account_is_not_found(self, ann: User, moderator: User) -> None:
        create_finished_match([ann, person("Ben")], visibility="public")
        address = f"/people/{ann.pk}/"
        assert Client().get(address).status_code == 200
        closure = imposing.impose(moderator=moderator, user=ann, kind=Kind.CLOSURE, reason=REASON)
        assert Client().get(address).status_code == 404
        with pytest.raises(ValidationError, match="already closed"):
            imposing.impose(moderator=moderator, user=ann, kind=Kind.CLOSURE, reason=REASON)
        imposing.lift(moderator=moderator, sanction=closure, reason="It was the brother.")
        assert Client().get(address).status_code == 200
        assert browser_of(ann).get("/").status_code == 200
        assert lobby_tables.open_table(host=User.objects.get(pk=ann.pk), terms=CASUAL)

    def test_closed_account_is_on_no_leaderboard(self, ann: User, moderator: User) -> None:
        match = create_finished_match([ann, person("Ben")], visibility="public")
        RatingChange.objects.create(match=match, user=ann, variant="kozel", at=NOW, seat=0, side=0, place=1, sigma=1)
        assert [row.user for row in disclosed_ratings.leaders("kozel")] == [ann]
        imposing.impose(moderator=moderator, user=ann, kind=Kind.CLOSURE, reason=REASON)
        assert disclosed_ratings.leaders("kozel") == []


class TestRenaming:
    @pytest.mark.stack
    def test_renaming_changes_the_name_everywhere_and_can_be_undone(self, moderator: User) -> None:
        rude, ben = person("Rude Robin"), person("Ben")
        over, running = create_finished_match([rude, ben]), tables.running_table([rude, ben])
        watched = tables.running_table([ben, person("Cleo")])
        for match in (over, running):
            Message.objects.create(match=match, user=rude, name="Rude Robin", text="hi")
        Message.objects.create(match=watched, user=rude, name="Rude Robin", text="hi", room="spectators")
        revision = Match.objects.get(pk=running.pk).revision
        sanction = imposing.impose(moderator=moderator, user=rude, kind=Kind.RENAMING, reason=REASON)
        new_name = sanction.facts["given"]
        names = lambda: {  # noqa: E731
            *Seat.objects.filter(user=rude).values_list("name", flat=True),
            *Message.objects.filter(user=rude).values_list("name", flat=True),
            User.objects.get(pk=rude.pk).name,
        }
        assert names() == {new_name}
        assert Match.objects.get(pk=running.pk).revision > revision, "open pages show it"
        assert "You can no longer be called Rude Robin." in notice_texts(rude)[0]
        imposing.lift(moderator=moderator, sanction=sanction, reason="That is the name.")
        assert names() == {"Rude Robin"}

    def test_removed_name_cannot_be_chosen_again(self, moderator: User) -> None:
        rude = person("Rude Robin")
        sanction = imposing.impose(moderator=moderator, user=rude, kind=Kind.RENAMING, reason=REASON)
        for alike in ("Rude Robin", "rude r0bin"):
            with pytest.raises(ValidationError):
                refuse_taken_name(alike, by=rude.pk)
        refuse_taken_name("Kind Robin", by=rude.pk)
        User.objects.filter(pk=rude.pk).update(name="Kind Robin")
        imposing.lift(moderator=moderator, sanction=sanction, reason="A mistake.")
        assert User.objects.get(pk=rude.pk).name == "Kind Robin", "a name that was chosen since stays"
        refuse_taken_name("Rude Robin", by=rude.pk)

    def test_given_name_cannot_be_removed(self, moderator: User) -> None:
        rude = person("Rude Robin")
        imposing.impose(moderator=moderator, user=rude, kind=Kind.RENAMING, reason=REASON)
        with pytest.raises(ValidationError, match="already given by a moderator"):
            imposing.impose(moderator=moderator, user=rude, kind=Kind.RENAMING, reason=REASON)


@pytest.mark.parametrize("kind", Kind)
def test_sanctions_are_logged_with_their_end(ann: User, moderator: User, kind: str) -> None:
    imposed = imposing.impose(moderator=moderator, user=ann, kind=kind, reason=REASON, evidence="case:1")
    imposing.lift(moderator=moderator, sanction=imposed, reason="A mistake.")
    acts = ModerationAct.objects.order_by("pk").values_list("act", "target", "evidence", "reason")
    target = f"sanction:{imposed.pk}"
    assert list(acts) == [(kind, target, "case:1", REASON), ("lift", target, "", "A mistake.")]


def test_a_rematch_is_refused_while_rated_play_is_paused(ann: User, moderator: User) -> None:
    match = create_finished_match([ann, person("Ben")], rated=True)
    imposing.impose(moderator=moderator, user=ann, kind=Kind.PAUSE, reason=REASON)
    with pytest.raises(Refused) as refused:
        rematch.agree_to_rematch(match=match, by=ann)
    assert refused.value.code == "paused"
