"""The match after the match: the same people, the same seats, the same terms."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from games.match import selectors
from games.models import Match
from games.services import lobby, rematch, seating
from games.words import offered
from tests.games.services.test_lobby import refused, running, sitting, table

pytestmark = [pytest.mark.django_db, pytest.mark.stack]


def finished(host: User, *guests: User, **terms: Any) -> Match:
    match = table(host, **terms)
    for guest in guests:
        lobby.sit(match=match, user=guest)
    lobby.fill_with_bots(match=match, by=host)
    match = lobby.start(match=match, by=host)
    Match.objects.filter(pk=match.pk).update(status="finished", due_at=None, due_kind="")
    match.refresh_from_db()
    return match


class TestRematch:
    def test_everybody_gets_the_same_seat_and_the_last_click_starts_it(self, ann: User, ben: User) -> None:
        old = finished(ann, ben, seats=3, options={"fish": "one"}, clock="fast")
        new = rematch.join(match=old, by=ben)
        assert (new.status, new.seat_count, new.options, new.clock) == ("open", 3, {"fish": "one"}, "fast")
        assert sitting(new) == ["", "Ben", "bot"]
        again = rematch.join(match=old, by=ann)
        assert (again, again.status) == (new, "running")
        assert sitting(new) == ["Ann", "Ben", "bot"]
        assert [seat.name for seat in seating.seats_of(new)] == [seat.name for seat in seating.seats_of(old)]

    @pytest.mark.parametrize("game", offered())
    def test_alone_among_bots_one_click_starts_it_in_every_game(self, ann: User, game: str) -> None:
        old = finished(ann, variant=game)
        new = rematch.join(match=old, by=ann)
        assert (new.status, new.variant, new.options) == ("running", game, old.options)

    def test_asked_twice_it_is_the_same_table(self, ann: User, ben: User) -> None:
        old = finished(ann, ben)
        assert rematch.join(match=old, by=ben) == rematch.join(match=old, by=ben)
        assert Match.objects.count() == 2

    def test_the_deal_has_a_new_secret(self, ann: User) -> None:
        old = finished(ann)
        assert rematch.join(match=old, by=ann).commitment != old.commitment

    def test_a_table_that_went_away_is_opened_anew(self, ann: User, ben: User) -> None:
        old = finished(ann, ben)
        gone = rematch.join(match=old, by=ben)
        lobby.stand_up(match=gone, user=ben)
        new = rematch.join(match=old, by=ann)
        assert new != gone
        assert (new.status, sitting(new)[0]) == ("open", "Ann")

    def test_the_old_table_leads_to_no_rematch_that_went_away_and_can_be_asked_for_another(
        self, ann: User, ben: User
    ) -> None:
        old = finished(ann, ben)
        gone = rematch.join(match=old, by=ben)
        before = selectors.table(old.pk)
        lobby.stand_up(match=gone, user=ben)
        after = selectors.table(old.pk)
        assert (before.rematch, after.rematch) == (gone.slug, "")
        assert after.revision > before.revision  # so that open pages show it

    def test_a_running_match_has_none(self, ann: User) -> None:
        refused("not_finished", rematch.join, match=running(ann), by=ann)

    def test_spectators_cannot_ask(self, ann: User, ben: User) -> None:
        refused("not_seated", rematch.join, match=finished(ann), by=ben)
