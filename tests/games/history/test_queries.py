"""Which matches the history finds, for whom, and in which order."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from accounts.services import delete_person
from games.history import queries
from games.history.names import MAX_NAMES
from games.history.queries import Cursor, Question, Tally
from games.models import Match
from games.moderation import reversals
from tests.games.finished import FIRST, finished
from tests.games.tables import open_table, person, running_table

pytestmark = pytest.mark.django_db
NOBODY = AnonymousUser()


def found(viewer: Any = NOBODY, **asked: Any) -> list[int]:
    """Return the matches of the first page."""
    return list(queries.page(Question(**asked), viewer).match_ids)


class TestFilters:
    @pytest.mark.stack
    def test_the_newest_end_comes_first(self, ann: User) -> None:
        old = finished([ann], bots=1, at=FIRST - timedelta(days=3))
        young, older = finished([ann], bots=1, at=FIRST), finished([ann], bots=1, at=FIRST - timedelta(days=1))
        assert found() == [young.pk, older.pk, old.pk]

    def test_open_running_and_never_started_tables_are_no_history(self, ann: User, ben: User) -> None:
        open_table([ann, ben])
        running_table([ann], bots=1)
        open_table([ann, ben], status="void", finished_at=FIRST)
        assert found() == found(ann) == found(ann, person_id=ann.pk) == []

    @pytest.mark.stack
    def test_matches_of_bots_alone_are_found_only_if_asked_for(self, ann: User) -> None:
        match, shown = finished([ann], bots=1), finished([], bots=2)
        left = finished([ann], bots=1)
        Match.objects.filter(pk=left.pk).update(host=None)
        assert found() == [left.pk, match.pk]
        assert found(exhibitions=True) == [left.pk, shown.pk, match.pk]
        delete_person(user=ann)
        assert found() == [left.pk, match.pk]

    def test_by_game(self, ann: User) -> None:
        kozel, fives = finished([ann], bots=1), finished([ann], bots=1, variant="all_fives")
        assert found(variant="kozel") == found(variant="kozel", person_id=ann.pk) == [kozel.pk]
        assert found(variant="all_fives") == [fives.pk]

    def test_by_day_both_ends_included(self, ann: User) -> None:
        moments = [datetime(2026, 5, day, hour, 59, tzinfo=UTC) for day in (1, 2, 3) for hour in (0, 23)]
        first, *inner, last = [finished([ann], bots=1, at=at).pk for at in moments]
        second = inner[1:3]
        assert found(since=date(2026, 5, 2), until=date(2026, 5, 2)) == second[::-1]
        assert last in found(since=date(2026, 5, 3))
        assert first in found(until=date(2026, 5, 1))
        assert found(since=date(2026, 5, 4)) == found(until=date(2026, 4, 30)) == []

    @pytest.mark.stack
    @pytest.mark.parametrize("far", [date.min, date.max])
    def test_the_ends_of_the_calendar_break_nothing(self, ann: User, far: date) -> None:
        match = finished([ann], bots=1)
        assert found(since=far) == ([match.pk] if far == date.min else [])
        assert found(until=far) == ([match.pk] if far == date.max else [])

    @pytest.mark.stack
    def test_by_name_or_a_part_of_it_without_capitals_and_accents(self, ben: User) -> None:
        match = finished([person("János Žluť"), ben])
        other = finished([person("Zlutka_5"), ben])
        assert found(name="janos  ZLUT") == found(name="János Žluť") == found(name="Janos") == [match.pk]
        assert found(name="žlut") == [other.pk, match.pk]
        assert found(name="a_5") == [other.pk]
        assert found(name="J%t") == found(name="a_.") == []

    @pytest.mark.stack
    def test_of_many_names_with_a_part_the_name_itself_comes_first_and_the_rest_is_told(self, ben: User) -> None:
        matches = [finished([person(f"A{letter}x"), ben]) for letter in "abcdefghijklmnopqrstuvwz"]
        match = finished([person("x"), ben])
        page = queries.page(Question(name="X"), NOBODY)
        assert (page.match_ids[0], len(page.match_ids), page.more_names) == (match.pk, MAX_NAMES, True)
        page = queries.page(Question(name="Bx"), NOBODY)
        assert (page.match_ids, page.more_names) == ((matches[1].pk,), False)

    def test_a_bot_is_no_player_to_be_found(self, ann: User) -> None:
        finished([ann], bots=1)
        assert found(name="Bot 1") == []

    def test_a_match_of_two_of_the_same_name_is_found_once(self, ann: User) -> None:
        match = finished([ann, person("Ann")])
        assert found(name="Ann") == [match.pk]

    def test_the_result_is_that_of_the_player(self, ann: User, ben: User) -> None:
        won, lost = finished([ann, ben]), finished([ann, ben], places=(2, 1))
        left = finished([ann, ben], reason="left", leaver=0)
        stopped = finished([ann, ben], reason="stopped")
        by_result = {"won": won, "lost": lost, "left": left, "stopped": stopped}
        for outcome, match in by_result.items():
            assert found(person_id=ann.pk, outcome=outcome) == found(name="Ann", outcome=outcome) == [match.pk]
        assert found(name="Ben", outcome="won") == [left.pk, lost.pk]

    def test_without_a_player_a_result_is_anybodys(self, ann: User, ben: User) -> None:
        left = finished([ann, ben], reason="left", leaver=1)
        stopped = finished([ann, ben], reason="stopped")
        assert found(outcome="left") == [left.pk]
        assert found(outcome="stopped") == [stopped.pk]


class TestPrivacy:
    @pytest.fixture
    def by_link(self, ann: User, ben: User) -> Match:
        return finished([ann, ben], visibility="link")

    @pytest.fixture
    def void(self, ann: User, ben: User) -> Match:
        match = finished([ann, ben])
        reversals.make_void(match)
        return match

    @pytest.mark.parametrize("asked", [{}, {"name": "Ann"}, {"name": "Ann", "outcome": "won"}, {"variant": "kozel"}])
    def test_a_match_by_link_is_listed_to_its_players_alone(self, by_link: Match, ann: User, asked: Any) -> None:
        ben = by_link.seats.get(index=1).user
        assert found(ann, **asked) == found(ben, **asked) == [by_link.pk]
        staff = person("Mod")
        staff.is_staff = True
        assert found(person("Eve"), **asked) == found(staff, **asked) == found(**asked) == []

    @pytest.mark.parametrize("asked", [{}, {"name": "Ann"}, {"variant": "kozel"}])
    def test_a_void_match_is_listed_to_its_players_and_to_staff(self, void: Match, ann: User, asked: Any) -> None:
        staff = person("Mod")
        staff.is_staff = True
        assert found(ann, **asked) == found(staff, **asked) == [void.pk]
        assert found(person("Eve"), **asked) == found(**asked) == []

    def test_a_persons_list_hides_them_too(self, by_link: Match, void: Match, ann: User) -> None:
        assert found(ann, person_id=ann.pk) == [void.pk, by_link.pk]
        assert found(person("Eve"), person_id=ann.pk) == []

    @pytest.mark.stack
    def test_the_counts_hide_them_too(self, by_link: Match, void: Match, ann: User, ben: User) -> None:
        assert queries.tallies(ann.pk, NOBODY) == queries.tallies(ann.pk, ben) == {}
        assert queries.tallies(ann.pk, ann) == {"kozel": Tally(1, 1, 0, 0, 0, 0)}

    def test_who_was_deleted_is_found_by_no_name(self, ann: User, ben: User) -> None:
        match = finished([ann, ben])
        delete_person(user=ann)
        assert found(name="Ann") == found(name="Deleted player") == []
        assert found() == [match.pk]


class TestPaging:
    @pytest.mark.stack
    @pytest.mark.parametrize("asked", [{}, {"name": "Ann"}, {"variant": "kozel"}, {"outcome": "won"}])
    def test_pages_have_no_gaps_and_no_doubles(self, ann: User, asked: Any, monkeypatch: Any) -> None:
        monkeypatch.setattr(queries, "PAGE", 3)
        # Several end at the same moment: their numbers decide.
        ids = [finished([ann], bots=1, at=FIRST + timedelta(hours=number // 4)).pk for number in range(11)]
        after = None
        pages: list[tuple[int, ...]] = []
        while not pages or after:
            page = queries.page(Question(**asked), NOBODY, after)
            pages.append(page.match_ids)
            after = page.after
            # What ends meanwhile comes before the pages already read.
            finished([ann], bots=1, at=FIRST + timedelta(days=1, hours=len(pages)))
        assert [each for page in pages for each in page] == ids[::-1]
        assert list(map(len, pages)) == [3, 3, 3, 2]

    def test_a_cursor_survives_its_way_through_an_address(self) -> None:
        cursor = Cursor(datetime(2026, 11, 21, 16, 42, 8, 123456, tzinfo=UTC), 42)
        assert Cursor.read(str(cursor)) == cursor

    @pytest.mark.parametrize("text", ["x", "1", "-1", "1-", "1-2-3", "1" * 17 + "-1", "1-" + "1" * 19, "١-٢", "1-2\n"])
    def test_a_broken_cursor_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match=re.escape(text)):
            Cursor.read(text)


class TestTallies:
    @pytest.mark.stack
    def test_results_are_counted_by_game(self, ann: User, ben: User) -> None:
        finished([ann, ben])
        finished([ann, ben], places=(2, 1))
        finished([ann, ben], reason="left", leaver=0)
        finished([ann, ben], reason="stopped", variant="all_fives")
        finished([ann, ben], reason="timeout", leaver=0, variant="all_fives")
        told = {"kozel": Tally(3, 1, 1, 1, 0, 0), "all_fives": Tally(2, 0, 0, 0, 1, 1)}
        assert queries.tallies(ann.pk, NOBODY) == told
