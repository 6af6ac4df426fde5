"""The match after the match: the same people and terms, each player one seat on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.chat import posting
from games.chat import spectators as spectator_chat
from games.engine.variants import rules_for
from games.lobby import tables
from games.match import selectors
from games.match.table import Table
from games.models import Match, Message, Seat
from games.moderation import acts
from games.presence import leases
from games.services import rematch, seating
from games.words import offered_variants
from tests.games.lobby.test_tables import refused, running, sitting, table
from tests.games.tables import person


def finished(host: User, *guests: User, **terms: Any) -> Match:
    match = table(host, **terms)
    for guest in guests:
        tables.sit(match=match, user=guest)
    match = tables.fill_with_bots(match=match, by=host)
    Match.objects.filter(pk=match.pk).update(status="finished", due_at=None, due_kind="")
    match.refresh_from_db()
    return match


def answers(match: Match) -> list[str]:
    return [seat.rematch for seat in seating.seats_of(match)]


def expire_lease(match: Match, user: User) -> None:
    """Let the lease of this person run out."""
    match.seats.filter(user=user).update(last_seen=timezone.now() - leases.SEAT_LEASE)


class TestRematch:
    @pytest.mark.stack
    def test_last_acceptance_starts_the_rematch_with_rotated_seats(self, ann: User, ben: User) -> None:
        old = finished(ann, ben, seats=3, options={"fish": "one"}, clock="fast")
        old.seats.filter(user=None).update(bot="master")
        assert rematch.agree_to_rematch(match=old, by=ben) == old
        assert (answers(old), Match.objects.count()) == (["", "offered", ""], 1)
        new = rematch.agree_to_rematch(match=old, by=ann)
        assert (new.status, new.seat_count, new.options, new.clock) == ("running", 3, {"fish": "one"}, "fast")
        assert sitting(new) == ["bot", "Ann", "Ben"]
        before, after = seating.seats_of(old)[2], seating.seats_of(new)[0]
        assert (after.name, after.bot) == (before.name, "master")
        assert rematch.agree_to_rematch(match=old, by=ben) == new

    @pytest.mark.parametrize("game", offered_variants())
    def test_single_player_starts_a_rematch_with_one_press(self, ann: User, game: str) -> None:
        old = finished(ann, variant=game)
        new = rematch.agree_to_rematch(match=old, by=ann)
        assert (new.status, new.variant, new.options) == ("running", game, old.options)

    def test_repeated_offer_still_waits_for_the_others(self, ann: User, ben: User) -> None:
        old = finished(ann, ben)
        for _time in range(2):
            assert rematch.agree_to_rematch(match=old, by=ben) == old
        assert answers(old) == ["", "offered", "", ""]

    def test_the_deal_has_a_new_secret(self, ann: User) -> None:
        old = finished(ann)
        assert rematch.agree_to_rematch(match=old, by=ann).commitment != old.commitment

    def test_secret_is_committed_with_the_last_answer(self, ann: User, ben: User) -> None:
        """Until then there is no table, so nobody can be asked for a nonce."""
        old = finished(ann, ben)
        rematch.agree_to_rematch(match=old, by=ann)
        assert not Match.objects.exclude(pk=old.pk).exists()

    def test_running_match_has_no_rematch(self, ann: User) -> None:
        refused("not_finished", rematch.agree_to_rematch, match=running(ann), by=ann)

    def test_spectators_cannot_offer_a_rematch(self, ann: User, ben: User) -> None:
        refused("not_seated", rematch.agree_to_rematch, match=finished(ann), by=ben)
        refused("not_seated", rematch.decline_rematch, match=finished(ann), by=ben)

    def test_person_at_too_many_tables_cannot_offer_a_rematch(self, ann: User) -> None:
        old = finished(ann)
        for _table in range(seating.MAX_TABLES_PER_PERSON):
            table(ann)
        refused("too_many_tables", rematch.agree_to_rematch, match=old, by=ann)

    def test_suspended_player_is_left_out_of_the_rematch(self, ann: User, ben: User) -> None:
        old = finished(ann, ben)
        rematch.agree_to_rematch(match=old, by=ben)
        for _table in range(seating.MAX_TABLES_PER_PERSON):
            table(ben)
        new = rematch.agree_to_rematch(match=old, by=ann)
        assert (new.status, sitting(new)) == ("open", ["bot", "Ann", "", "bot"])

    def test_rated_rematch_keeps_address_hashes_comparable(self, ann: User, ben: User) -> None:
        old = finished(ann, ben, rated=True)
        Match.objects.filter(pk=old.pk).update(rated=True)
        rematch.agree_to_rematch(match=old, by=ben, address="192.0.2.7")
        expire_lease(old, ann)
        rematch.resolve_stale_offers(now=timezone.now())
        new = Match.objects.get(rematch_of=old)
        rematch.agree_to_rematch(match=old, by=ann, address="192.0.2.7")
        one, other = (seat.address for seat in seating.seats_of(new)[1:3])
        assert one == other != ""
        assert not old.seats.exclude(address="").exists()


class TestNo:
    def test_declining_ends_the_offer_and_only_the_decliner_can_renew_it(self, ann: User, ben: User) -> None:
        old = finished(ann, ben)
        rematch.agree_to_rematch(match=old, by=ann)
        rematch.decline_rematch(match=old, by=ben)
        assert answers(old) == ["", "declined", "", ""]
        refused("rematch_declined", rematch.agree_to_rematch, match=old, by=ann)
        rematch.agree_to_rematch(match=old, by=ben)
        assert rematch.agree_to_rematch(match=old, by=ann).status == "running"

    def test_withdrawn_offer_deletes_all_answers(self, ann: User, ben: User) -> None:
        cleo = person("Cleo")
        old = finished(ann, ben, cleo)
        rematch.agree_to_rematch(match=old, by=ann)
        rematch.agree_to_rematch(match=old, by=ben)
        assert answers(old) == ["offered", "accepted", "", ""]
        rematch.decline_rematch(match=old, by=ann)
        assert answers(old) == ["", "", "", ""]

    def test_withdrawn_acceptance_keeps_the_offer(self, ann: User, ben: User) -> None:
        old = finished(ann, ben, person("Cleo"))
        rematch.agree_to_rematch(match=old, by=ann)
        rematch.agree_to_rematch(match=old, by=ben)
        rematch.decline_rematch(match=old, by=ben)
        assert answers(old) == ["offered", "", "", ""]

    def test_declining_without_an_offer_changes_nothing(self, ann: User, ben: User) -> None:
        old = finished(ann, ben)
        revision = selectors.read_table(old.pk).revision
        rematch.decline_rematch(match=old, by=ben)
        assert selectors.read_table(old.pk).revision == revision

    def test_every_answer_is_shown_at_once(self, ann: User, ben: User) -> None:
        old = finished(ann, ben)
        for answer, by in ((rematch.agree_to_rematch, ann), (rematch.decline_rematch, ben)):
            before = selectors.read_table(old.pk).revision
            answer(match=old, by=by)
            assert selectors.read_table(old.pk).revision > before


class TestGone:
    def test_offer_ends_when_its_author_closes_the_page(self, ann: User, ben: User) -> None:
        old = finished(ann, ben, person("Cleo"))
        rematch.agree_to_rematch(match=old, by=ann)
        rematch.agree_to_rematch(match=old, by=ben)
        rematch.resolve_stale_offers(now=timezone.now())
        assert answers(old)[0] == "offered"
        expire_lease(old, ann)
        rematch.resolve_stale_offers(now=timezone.now())
        assert answers(old) == ["", "", "", ""]

    def test_absent_players_are_left_out_of_the_rematch(self, ann: User, ben: User) -> None:
        old = finished(ann, ben)
        expire_lease(old, ben)
        new = rematch.agree_to_rematch(match=old, by=ann)
        assert (new.status, sitting(new)) == ("open", ["bot", "Ann", "", "bot"])
        assert rematch.agree_to_rematch(match=old, by=ben) == new
        assert (Match.objects.get(pk=new.pk).status, sitting(new)[1:3]) == ("running", ["Ann", "Ben"])

    def test_player_who_leaves_without_an_answer_is_left_out(self, ann: User, ben: User) -> None:
        old = finished(ann, ben)
        rematch.agree_to_rematch(match=old, by=ann)
        expire_lease(old, ben)
        rematch.resolve_stale_offers(now=timezone.now())
        assert sitting(Match.objects.get(rematch_of=old)) == ["bot", "Ann", "", "bot"]

    def test_rematch_can_be_offered_again_after_its_table_closed(self, ann: User, ben: User) -> None:
        old = finished(ann, ben)
        expire_lease(old, ann)
        gone = rematch.agree_to_rematch(match=old, by=ben)
        before = self.shown(old)
        tables.stand_up(match=gone, user=ben)
        after = self.shown(old)
        assert (before.rematch, after.rematch) == (gone.slug, "")
        assert after.revision > before.revision  # so that open pages show it
        new = rematch.agree_to_rematch(match=old, by=ben)
        assert (new != gone, new.status, sitting(new)[2]) == (True, "open", "Ben")

    def shown(self, old: Match) -> Table:
        return selectors.read_table(old.pk)

    def test_offer_ends_when_its_author_is_deleted(self, ann: User, ben: User) -> None:
        old = finished(ann, ben)
        rematch.agree_to_rematch(match=old, by=ann)
        Seat.objects.filter(match=old, user=ann).update(user=None)
        rematch.resolve_stale_offers(now=timezone.now() + timedelta(seconds=1))
        assert not Seat.objects.filter(rematch="offered").exists()

    def test_partners_stay_partners(self) -> None:
        people = [person(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
        old = finished(*people, variant="all_fives", options={"partners": "yes"})
        for by in people:
            rematch.agree_to_rematch(match=old, by=by)
        new = Match.objects.get(rematch_of=old)
        assert sitting(new) == ["Dan", "Ann", "Ben", "Cleo"]
        sides = rules_for("all_fives").sides(4, new.options)
        assert sides[1] == sides[3] != sides[0] == sides[2]


class TestSeries:
    def won(self, match: Match, index: int) -> Match:
        ended = {"status": "finished", "finished_at": timezone.now(), "due_at": None, "due_kind": ""}
        Match.objects.filter(pk=match.pk).update(**ended)
        match.seats.filter(index=index).update(outcome="won")
        match.seats.update(last_seen=timezone.now())
        match.refresh_from_db()
        return match

    def again(self, match: Match, *people: User) -> Match:
        for by in people:
            rematch.agree_to_rematch(match=match, by=by)
        return Match.objects.get(rematch_of=match)

    @pytest.mark.stack
    def test_wins_are_counted_over_all_rematches_of_the_same_people(self, ann: User, ben: User) -> None:
        first = self.won(finished(ann, ben, seats=2), 0)
        assert selectors.read_table(first.pk).wins == ()
        second = self.won(self.again(first, ann, ben), 0)  # that is Ben now
        assert selectors.read_table(second.pk).wins == (0, 1)
        third = self.again(second, ben, ann)
        assert selectors.read_table(third.pk).wins == (1, 1)

    def test_missing_player_ends_the_series(self, ann: User, ben: User) -> None:
        first = self.won(finished(ann, ben, seats=2), 0)
        expire_lease(first, ben)
        new = self.again(first, ann)
        tables.sit(match=new, user=person("Cleo"))
        assert selectors.read_table(new.pk).wins == ()

    def test_chat_continues_in_the_rematch(self, ann: User, ben: User) -> None:
        first = self.won(finished(ann, ben, seats=2), 0)
        line = posting.post_message(match=first, user=ann, text="Well played")
        rude = posting.post_message(match=first, user=ben, text="a rude word")
        second = self.again(first, ann, ben)
        posting.post_message(match=second, user=ben, text="Once more")
        posting.post_message(match=first, user=ben, text="late")
        hide(rude)
        lines = selectors.read_table(second.pk).messages
        assert [(line.text, line.earlier) for line in lines] == [
            ("Well played", True),
            ("late", True),
            ("Once more", False),
        ]
        assert lines[0].id == line.pk

    def test_series_hides_undisclosed_results(self, ann: User, ben: User) -> None:
        first = self.won(finished(ann, ben, seats=2, delay="120"), 0)
        Match.objects.filter(pk=first.pk).update(public_at=timezone.now() + timedelta(seconds=60))
        for room in ("table", "spectators"):
            Message.objects.create(match=first, user=ann, name="Ann", text="Goat!", room=room)
        second = self.again(first, ann, ben)
        assert (selectors.read_table(second.pk).wins, selectors.read_table(second.pk).messages) == ((), ())
        Match.objects.filter(pk=first.pk).update(public_at=timezone.now())
        assert selectors.read_table(second.pk).wins == (0, 1)
        assert [line.text for line in selectors.read_table(second.pk).messages] == ["Goat!"]
        assert [line.text for line in spectator_chat.load_spectator_chat(second.pk).lines] == ["Goat!"]


def hide(message: Message) -> None:
    """Hide a line, which is announced wherever it is shown."""
    moderator = User.objects.create_superuser("root", name="Root")
    later = Match.objects.get(rematch_of=message.match_id)
    acts.hide_message(moderator=moderator, message=message, reason="rude")
    assert Match.objects.get(pk=later.pk).revision > later.revision
