"""The outcome of each seat of a finished match, and the keys by which the history finds it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from games.engine.events import MatchEnded
from games.engine.notation import standing_from_json
from games.models import Match, Seat
from games.moderation import acts, reversals
from games.services import play, results
from tests.games.reviewed import play_random_moves, stop_match
from tests.games.tables import locked_row, open_table, person, running_table
from tests.worlds import folded_state

PARTNERS: dict[str, Any] = {"variant": "all_fives", "options": {"partners": "yes"}}
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ENDED: dict[str, Any] = {"seat": None, "rule": "", "losers": (), "rating": ()}


def match_end(places: tuple[int, ...], **fields: Any) -> MatchEnded:
    return MatchEnded(**(ENDED | {"reason": "finished", "places": places} | fields))


def settled_outcomes(match: Match, end: MatchEnded) -> list[str]:
    results.write_results(locked_row(match), end, NOW)
    return outcomes(match)


def outcomes(match: Match) -> list[str]:
    return list(match.seats.order_by("index").values_list("outcome", flat=True))


class TestOutcomes:
    def test_the_first_place_has_won_and_every_other_lost(self) -> None:
        match = open_table([person(), person("Ben")], bots=1)
        assert settled_outcomes(match, match_end((1, 2, 1))) == ["won", "lost", "won"]

    def test_everybody_except_the_losers_wins(self) -> None:
        match = open_table([person(), person("Ben")], bots=1)
        assert settled_outcomes(match, match_end((1, 3, 2), losers=(1,))) == ["won", "lost", "won"]

    @pytest.mark.parametrize("reason", ["left", "timeout"])
    def test_leaving_and_timeout_are_different_outcomes(self, reason: str) -> None:
        match = open_table([person(), person("Ben")], bots=1)
        end = match_end((1, 3, 2), losers=(1,), seat=1, reason=reason)
        assert settled_outcomes(match, end) == ["won", reason, "won"]

    def test_seat_held_by_a_bot_at_the_end_counts_as_left(self) -> None:
        match = open_table([person(), person("Ben")], bots=1)
        match.seats.filter(index=0).update(bot="steady")
        assert settled_outcomes(match, match_end((1, 2, 3))) == ["left", "lost", "lost"]

    @pytest.mark.parametrize(
        ("places", "expected"),
        [((4, 1, 3, 1), ["left", "won", "stopped", "won"]), ((4, 2, 1, 2), ["left", "won", "won", "won"])],
    )
    def test_the_partner_of_a_leaver_does_not_lose(self, places: tuple[int, ...], expected: list[str]) -> None:
        match = open_table([person(name) for name in ("Ann", "Ben", "Cleo", "Dan")], **PARTNERS)
        assert settled_outcomes(match, match_end(places, losers=(0,), seat=0, reason="left")) == expected

    def test_the_partner_of_a_forfeited_seat_does_not_lose_either(self) -> None:
        match = open_table([person(name) for name in ("Ann", "Ben", "Cleo", "Dan")], **PARTNERS)
        match.seats.filter(index=0).update(bot="steady", state=Seat.State.FORFEITED)
        assert settled_outcomes(match, match_end((4, 1, 3, 1))) == ["left", "won", "stopped", "won"]

    def test_a_stopped_match_is_neither_won_nor_lost(self) -> None:
        match = open_table([person(), person("Ben")])
        assert settled_outcomes(match, match_end((), reason="stopped")) == ["stopped", "stopped"]

    def test_a_void_match_is_nothing(self) -> None:
        match = open_table([person(), person("Ben")])
        assert settled_outcomes(match, match_end((), reason="void")) == ["", ""]


class TestWhatTheHistoryFindsItBy:
    @pytest.mark.stack
    def test_seats_store_game_time_and_search_key(self) -> None:
        match = open_table([person("Árvíz Tűrő")], bots=1)
        settled_outcomes(match, match_end((1, 2)))
        rows = match.seats.order_by("index").values_list("variant", "finished_at", "listed", "name_key")
        assert list(rows) == [("kozel", NOW, True, "arviz turo"), ("kozel", NOW, True, "")]

    @pytest.mark.parametrize(("columns", "reason"), [({"visibility": "link"}, "finished"), ({}, "void")])
    def test_a_match_by_link_and_a_void_one_are_listed_to_nobody_else(self, columns: Any, reason: str) -> None:
        match = open_table([person()], bots=1, **columns)
        settled_outcomes(match, match_end((1, 2) if reason == "finished" else (), reason=reason))
        assert not match.seats.filter(listed=True).exists()

    def test_a_match_declared_void_afterwards_is_no_longer_listed(self) -> None:
        match = running_table([person(), person("Ben")])
        play.stop_match(match_id=match.pk)
        reversals.make_void(match)
        assert not match.seats.filter(listed=True).exists()
        assert outcomes(match) == ["", ""]

    def test_removed_person_is_not_found_by_the_old_name(self) -> None:
        ben = person("Ben")
        match = running_table([person(), ben])
        acts.leave_all_tables(ben)
        Seat.objects.filter(match=match, user=ben).update(user=None)
        play.stop_match(match_id=match.pk)
        assert list(match.seats.order_by("index").values_list("name_key", flat=True)) == ["ann", ""]


class TestTheScoresAtTheEnd:
    def test_final_scores_are_those_of_the_last_finished_round(self) -> None:
        match = play_random_moves("all_fives", 60)
        state = folded_state(match)
        match = stop_match(match)
        assert standing_from_json(match.standing) == state.rounds[-1].standing
        assert sum(side.points for side in state.rounds[-1].standing) > 0

    def test_match_without_a_finished_round_has_no_scores(self) -> None:
        match = stop_match(play_random_moves("gamezz", 1))
        assert [standing.points for standing in standing_from_json(match.standing)] == [0] * match.seat_count
        assert open_table([person("Fay")], bots=1).standing == ""
