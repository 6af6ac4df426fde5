"""Tables before the match: opening, sitting, starting, going away. One claim a test."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.functional import Promise

from accounts.models import Sanction, User
from accounts.names.reserved import BOT_NAMES
from games.errors import Refused
from games.lobby import quick_play
from games.lobby import tables as lobby_tables
from games.models import Match, Seat
from games.services import seating
from games.terms.terms import Terms
from tests.games.tables import person


def table(host: User, *, address: str = "", **terms: Any) -> Match:
    return lobby_tables.open_table(host=host, terms=replace(Terms("kozel", 4), **terms), address=address)


def sitting(match: Match) -> list[str]:
    return [(seat.bot and "bot") or seat.name for seat in seating.seats_of(match)]


def refused(code: str, call: Any, **arguments: Any) -> None:
    with pytest.raises(Refused) as caught:
        call(**arguments)
    assert caught.value.code == code
    assert str(caught.value.text)


class TestDoubles:
    @pytest.mark.parametrize("name", ["Ann", "ann", "Аnn", "ANN.", "ᴀɴɴ"])
    def test_person_with_a_similar_name_cannot_sit_down(self, ann: User, name: str) -> None:
        match = table(ann)
        refused("name_taken", lobby_tables.sit, match=match, user=person(name))
        assert sitting(match) == ["Ann", "", "", ""]

    def test_the_name_is_free_again_when_its_person_has_gone(self, ann: User, ben: User) -> None:
        match = table(ben)
        lobby_tables.sit(match=match, user=ann)
        lobby_tables.stand_up(match=match, user=ann)
        lobby_tables.sit(match=match, user=person("Ann"))

    def test_bots_get_other_names_than_people_at_the_table(self, monkeypatch: pytest.MonkeyPatch) -> None:
        host = person("Αda")
        match = table(host)
        monkeypatch.setattr(seating, "BOT_NAMES", BOT_NAMES[:4])
        lobby_tables.fill_with_bots(match=match, by=host)
        assert "Ada" not in set(match.seats.values_list("name", flat=True))


class TestOpening:
    def test_the_host_sits_at_the_first_seat(self, ann: User) -> None:
        match = table(ann, seats=3)
        assert (match.status, sitting(match), match.host) == ("open", ["Ann", "", ""], ann)

    def test_missing_options_take_their_defaults(self, ann: User) -> None:
        assert table(ann).options == {"fish": "all"}
        assert table(ann, options={"fish": "one"}).options == {"fish": "one"}

    def test_the_site_commits_to_a_secret_of_its_own_for_each_table(self, ann: User) -> None:
        first, second = table(ann), table(ann)
        assert len(first.secret) == len(first.commitment) == 64
        assert first.secret != second.secret
        assert first.commitment not in {first.secret, second.commitment}

    @pytest.mark.parametrize(
        "nonsense",
        [
            {"variant": "chess"},
            {"variant": ""},
            {"seats": 9},
            {"seats": 1},
            {"seats": -2},
            {"options": {"fish": "both"}},
            {"options": {"colour": "red"}},
            {"options": {"length": "round"}},
            {"clock": "blitz"},
            {"visibility": "secret"},
        ],
    )
    def test_invalid_terms_open_no_table(self, ann: User, nonsense: dict[str, Any]) -> None:
        refused("bad_request", table, host=ann, **nonsense)
        assert not Match.objects.exists()

    def test_a_person_sits_at_three_unfinished_tables_at_most(self, ann: User, ben: User) -> None:
        for _ in range(3):
            table(ann)
        refused("too_many_tables", table, host=ann)
        refused("too_many_tables", lobby_tables.sit, match=table(ben), user=ann)
        refused("too_many_tables", quick_play.join_quick_game, user=ann)
        assert Seat.objects.filter(user=ann).count() == 3

    def test_refusal_has_the_number_of_tables(self, ann: User) -> None:
        for _ in range(3):
            table(ann)
        with pytest.raises(Refused) as caught:
            table(ann)
        assert isinstance(caught.value.text, Promise), "translated for its reader, not in the thread that refused"
        assert str(caught.value.text) == "You are already in 3 matches. Finish or leave one first."

    def test_a_finished_table_makes_room_for_another(self, ann: User) -> None:
        tables = [table(ann) for _ in range(3)]
        Match.objects.filter(pk=tables[0].pk).update(status="finished")
        table(ann)

    def test_suspended_person_gets_the_reason_and_end(self, ann: User, ben: User) -> None:
        until = timezone.now() + timedelta(days=2)
        Sanction.objects.create(user=ann, kind="suspend", reason="shouting", until=until)
        with pytest.raises(Refused) as caught:
            table(ann)
        assert caught.value.code == "suspended"
        assert "shouting" in str(caught.value.text)
        assert str(until.year) in str(caught.value.text)
        refused("suspended", lobby_tables.sit, match=table(ben), user=ann)
        refused("suspended", quick_play.join_quick_game, user=ann)


class TestSitting:
    def test_person_gets_the_chosen_or_the_first_free_seat(self, ann: User, ben: User) -> None:
        match = table(ann)
        lobby_tables.sit(match=match, user=ben, index=2)
        lobby_tables.sit(match=match, user=person("Cleo"))
        assert sitting(match) == ["Ann", "Cleo", "Ben", ""]

    def test_a_taken_seat_is_refused(self, ann: User, ben: User) -> None:
        refused("seat_taken", lobby_tables.sit, match=table(ann), user=ben, index=0)

    def test_nobody_sits_at_one_table_twice(self, ann: User) -> None:
        match = table(ann)
        refused("already_seated", lobby_tables.sit, match=match, user=ann, index=1)
        lobby_tables.sit(match=match, user=ann)
        assert sitting(match)[:2] == ["Ann", ""]

    def test_unknown_seat_is_refused(self, ann: User, ben: User) -> None:
        match = table(ann)
        refused("bad_request", lobby_tables.sit, match=match, user=ben, index=4)
        refused("bad_request", lobby_tables.sit, match=match, user=ben, index=-1)

    def test_a_full_table_is_refused(self, ann: User, ben: User) -> None:
        match = table(ann, seats=2)
        lobby_tables.sit(match=match, user=ben)
        refused("table_full", lobby_tables.sit, match=match, user=person("Cleo"))

    def test_a_running_table_is_refused(self, ann: User, ben: User) -> None:
        match = running(ann)
        refused("not_open", lobby_tables.sit, match=match, user=ben)
        refused("not_open", lobby_tables.stand_up, match=match, user=ann)
        refused("not_open", lobby_tables.fill_with_bots, match=match, by=ann)


class TestStandingUp:
    def test_the_seat_is_free_again(self, ann: User, ben: User) -> None:
        match = table(ann)
        lobby_tables.sit(match=match, user=ben)
        lobby_tables.stand_up(match=match, user=ben)
        seat = seating.seats_of(match)[1]
        assert (seat.user, seat.name) == (None, "")
        assert match.status == "open"

    def test_the_next_person_becomes_host(self, ann: User, ben: User) -> None:
        match = table(ann)
        lobby_tables.sit(match=match, user=ben)
        assert lobby_tables.stand_up(match=match, user=ann).host == ben

    @pytest.mark.stack
    def test_table_closes_when_the_last_person_leaves(self, ann: User) -> None:
        match = table(ann)
        seating.fill_with_bots(seating.seats_of(match))
        match = lobby_tables.stand_up(match=match, user=ann)
        assert (match.status, match.due_at) == ("void", None)

    def test_only_players_can_stand_up(self, ann: User, ben: User) -> None:
        refused("not_seated", lobby_tables.stand_up, match=table(ann), user=ben)


class TestColours:
    @pytest.mark.stack
    def test_nobody_at_a_table_has_the_colour_of_another(self, ann: User, ben: User) -> None:
        match = table(ann)
        lobby_tables.sit(match=match, user=ben)
        own, other = (seat.colour for seat in seating.seats_of(match)[:2])
        assert own == ann.colour == ben.colour != other
        assert other in User.Colour.values

    def test_player_has_the_own_colour_if_it_is_free(self, ann: User) -> None:
        match = table(ann)
        lobby_tables.sit(match=match, user=User.objects.create(username="rose", name="Rose", colour="red"))
        assert [seat.colour for seat in seating.seats_of(match)[:2]] == [ann.colour, "red"]

    def test_player_regains_the_own_colour_at_another_table(self, ann: User, ben: User) -> None:
        lobby_tables.sit(match=table(ann), user=ben)
        assert seating.seats_of(table(ben))[0].colour == ben.colour


class TestBots:
    def test_bots_take_all_free_seats_with_unique_names_and_colours(self, ann: User) -> None:
        match = table(ann)
        lobby_tables.fill_with_bots(match=match, by=ann)
        assert sitting(match) == ["Ann", "bot", "bot", "bot"]
        assert len({seat.name for seat in seating.seats_of(match)}) == 4
        assert len({seat.colour for seat in seating.seats_of(match)}) == 4

    def test_bots_have_the_level_chosen_by_the_host(self, ann: User) -> None:
        match = lobby_tables.fill_with_bots(match=table(ann), by=ann, level="master")
        assert [seat.bot for seat in seating.seats_of(match)] == ["", "master", "master", "master"]

    def test_only_the_host_can_add_bots(self, ann: User, ben: User) -> None:
        match = table(ann)
        refused("not_seated", lobby_tables.fill_with_bots, match=match, by=ben)
        lobby_tables.sit(match=match, user=ben)
        refused("not_host", lobby_tables.fill_with_bots, match=match, by=ben)


def running(host: User, **terms: Any) -> Match:
    return lobby_tables.fill_with_bots(match=table(host, **terms), by=host)


class TestStarting:
    def test_the_host_starts_a_full_table(self, ann: User) -> None:
        match = running(ann)
        assert (match.status, match.round) == ("running", 1)

    def test_a_free_seat_stops_the_start(self, ann: User) -> None:
        refused("empty_seats", lobby_tables.start_or_agree, match=table(ann), by=ann)

    def test_strangers_cannot_start_it(self, ann: User, ben: User) -> None:
        match = table(ann, seats=2)
        lobby_tables.sit(match=match, user=person("Cleo"))
        refused("not_seated", lobby_tables.start_or_agree, match=match, by=ben)

    def test_without_the_host_all_others_have_to_agree(self, ann: User, ben: User) -> None:
        match = table(ann, seats=3)
        cleo = person("Cleo")
        lobby_tables.sit(match=match, user=ben)
        lobby_tables.sit(match=match, user=cleo)
        assert lobby_tables.start_or_agree(match=match, by=ben).status == "open"
        assert lobby_tables.start_or_agree(match=match, by=cleo).status == "open"
        assert lobby_tables.start_or_agree(match=match, by=ann).status == "running"

    def test_a_match_starts_once(self, ann: User) -> None:
        match = running(ann)
        refused("not_open", lobby_tables.start_or_agree, match=match, by=ann)


class TestStartingByItself:
    def test_a_private_table_starts_when_its_last_seat_is_taken(self, ann: User, ben: User) -> None:
        match = table(ann, seats=3, visibility="link")
        assert lobby_tables.sit(match=match, user=ben).status == "open"
        assert lobby_tables.sit(match=match, user=person("Cleo")).status == "running"

    def test_any_table_starts_when_its_host_fills_it_with_bots(self, ann: User, ben: User) -> None:
        for host, visibility in ((ann, "link"), (ben, "public")):
            match = table(host, visibility=visibility)
            assert lobby_tables.fill_with_bots(match=match, by=host).status == "running"

    def test_a_public_table_waits_for_its_host(self, ann: User, ben: User) -> None:
        match = table(ann, seats=2)
        assert lobby_tables.sit(match=match, user=ben).status == "open"


class TestAbandoning:
    @pytest.mark.stack
    def test_absent_player_loses_the_seat_and_the_table_closes(self, ann: User) -> None:
        match = table(ann)
        Seat.objects.filter(user=ann).update(last_seen=timezone.now() - timedelta(minutes=4))
        lobby_tables.abandon_due_table(match_id=match.pk, now=timezone.now())
        match.refresh_from_db()
        assert (match.status, sitting(match)) == ("void", ["", "", "", ""])

    def test_present_player_keeps_the_table_open(self, ann: User, ben: User) -> None:
        match = table(ann)
        lobby_tables.sit(match=match, user=ben)
        Seat.objects.filter(user=ann).update(last_seen=timezone.now() - timedelta(minutes=4))
        lobby_tables.abandon_due_table(match_id=match.pk, now=timezone.now())
        match.refresh_from_db()
        assert (match.status, match.host, sitting(match)[:2]) == ("open", ben, ["", "Ben"])
        assert match.due_kind == "abandon"
        assert match.due_at > timezone.now()

    def test_running_match_is_not_abandoned(self, ann: User) -> None:
        match = running(ann)
        Seat.objects.filter(user=ann).update(last_seen=timezone.now() - timedelta(minutes=4))
        lobby_tables.abandon_due_table(match_id=match.pk, now=timezone.now())
        assert Match.objects.get(pk=match.pk).status == "running"
