"""The matches that the history finds, for which viewer and in which order, and the indexes that it uses."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from accounts.models import User
from accounts.services import delete_person
from games.history import queries
from games.history.queries import MAX_MATCHING_NAMES, Cursor, MatchFilter, Tally
from games.models import Match
from games.moderation import reversals
from tests.games.finished import START_OF_FIRST_MATCH, create_finished_match
from tests.games.tables import open_table, person, running_table

NOBODY = AnonymousUser()


def first_page(viewer: Any = NOBODY, **filters: Any) -> list[int]:
    return list(queries.match_page(MatchFilter(**filters), viewer).match_ids)


class TestFilters:
    @pytest.mark.stack
    def test_newest_end_comes_first(self, ann: User) -> None:
        old = create_finished_match([ann], bots=1, at=START_OF_FIRST_MATCH - timedelta(days=3))
        young, older = (
            create_finished_match([ann], bots=1, at=START_OF_FIRST_MATCH),
            create_finished_match([ann], bots=1, at=START_OF_FIRST_MATCH - timedelta(days=1)),
        )
        assert first_page() == [young.pk, older.pk, old.pk]

    def test_only_finished_matches_are_listed(self, ann: User, ben: User) -> None:
        open_table([ann, ben])
        running_table([ann], bots=1)
        open_table([ann, ben], status="void", finished_at=START_OF_FIRST_MATCH)
        assert first_page() == first_page(ann) == first_page(ann, person_id=ann.pk) == []

    @pytest.mark.stack
    def test_matches_of_bots_alone_are_found_only_if_asked_for(self, ann: User) -> None:
        match, exhibition = create_finished_match([ann], bots=1), create_finished_match([], bots=2)
        hostless = create_finished_match([ann], bots=1)
        Match.objects.filter(pk=hostless.pk).update(host=None)
        assert first_page() == [hostless.pk, match.pk]
        assert first_page(with_bot_matches=True) == [hostless.pk, exhibition.pk, match.pk]
        delete_person(user=ann)
        assert first_page() == [hostless.pk, match.pk]

    def test_filters_by_game(self, ann: User) -> None:
        kozel, fives = create_finished_match([ann], bots=1), create_finished_match([ann], bots=1, variant="all_fives")
        assert first_page(variant="kozel") == first_page(variant="kozel", person_id=ann.pk) == [kozel.pk]
        assert first_page(variant="all_fives") == [fives.pk]

    def test_filters_by_day_including_both_ends(self, ann: User) -> None:
        moments = [datetime(2026, 5, day, hour, 59, tzinfo=UTC) for day in (1, 2, 3) for hour in (0, 23)]
        first, *inner, last = [create_finished_match([ann], bots=1, at=at).pk for at in moments]
        second = inner[1:3]
        assert first_page(since=date(2026, 5, 2), until=date(2026, 5, 2)) == second[::-1]
        assert last in first_page(since=date(2026, 5, 3))
        assert first in first_page(until=date(2026, 5, 1))
        assert first_page(since=date(2026, 5, 4)) == first_page(until=date(2026, 4, 30)) == []

    @pytest.mark.stack
    @pytest.mark.parametrize("far", [date.min, date.max])
    def test_first_and_last_dates_are_valid(self, ann: User, far: date) -> None:
        match = create_finished_match([ann], bots=1)
        assert first_page(since=far) == ([match.pk] if far == date.min else [])
        assert first_page(until=far) == ([match.pk] if far == date.max else [])

    @pytest.mark.stack
    def test_filters_by_part_of_a_name_ignoring_case_and_accents(self, ben: User) -> None:
        match = create_finished_match([person("János Žluť"), ben])
        other = create_finished_match([person("Zlutka_5"), ben])
        assert (
            first_page(name="janos  ZLUT") == first_page(name="János Žluť") == first_page(name="Janos") == [match.pk]
        )
        assert first_page(name="žlut") == [other.pk, match.pk]
        assert first_page(name="a_5") == [other.pk]
        assert first_page(name="J%t") == first_page(name="a_.") == []

    @pytest.mark.stack
    def test_exact_name_comes_first_and_truncation_is_reported(self, ben: User) -> None:
        matches = [create_finished_match([person(f"A{letter}x"), ben]) for letter in "abcdefghijklmnopqrstuvwz"]
        match = create_finished_match([person("x"), ben])
        page = queries.match_page(MatchFilter(name="X"), NOBODY)
        assert (page.match_ids[0], len(page.match_ids), page.has_more_names) == (match.pk, MAX_MATCHING_NAMES, True)
        page = queries.match_page(MatchFilter(name="Bx"), NOBODY)
        assert (page.match_ids, page.has_more_names) == ((matches[1].pk,), False)

    def test_a_bot_is_not_found_by_its_name(self, ann: User) -> None:
        create_finished_match([ann], bots=1)
        assert first_page(name="Bot 1") == []

    def test_a_match_of_two_of_the_same_name_is_found_once(self, ann: User) -> None:
        match = create_finished_match([ann, person("Ann")])
        assert first_page(name="Ann") == [match.pk]

    def test_result_filter_applies_to_the_player(self, ann: User, ben: User) -> None:
        won, lost = create_finished_match([ann, ben]), create_finished_match([ann, ben], places=(2, 1))
        abandoned = create_finished_match([ann, ben], reason="left", leaver=0)
        stopped = create_finished_match([ann, ben], reason="stopped")
        by_result = {"won": won, "lost": lost, "left": abandoned, "stopped": stopped}
        for outcome, match in by_result.items():
            assert (
                first_page(person_id=ann.pk, outcome=outcome) == first_page(name="Ann", outcome=outcome) == [match.pk]
            )
        assert first_page(name="Ben", outcome="won") == [abandoned.pk, lost.pk]

    def test_result_filter_without_a_player_applies_to_anybody(self, ann: User, ben: User) -> None:
        abandoned = create_finished_match([ann, ben], reason="left", leaver=1)
        stopped = create_finished_match([ann, ben], reason="stopped")
        assert first_page(outcome="left") == [abandoned.pk]
        assert first_page(outcome="stopped") == [stopped.pk]


class TestPrivacy:
    @pytest.fixture
    def by_link(self, ann: User, ben: User) -> Match:
        return create_finished_match([ann, ben], visibility="link")

    @pytest.fixture
    def void(self, ann: User, ben: User) -> Match:
        match = create_finished_match([ann, ben])
        reversals.make_void(match)
        return match

    @pytest.mark.parametrize("filters", [{}, {"name": "Ann"}, {"name": "Ann", "outcome": "won"}, {"variant": "kozel"}])
    def test_a_match_by_link_is_listed_to_its_players_alone(self, by_link: Match, ann: User, filters: Any) -> None:
        ben = by_link.seats.get(index=1).user
        assert first_page(ann, **filters) == first_page(ben, **filters) == [by_link.pk]
        staff = person("Mod", is_staff=True)
        assert first_page(person("Eve"), **filters) == first_page(staff, **filters) == first_page(**filters) == []

    @pytest.mark.parametrize("filters", [{}, {"name": "Ann"}, {"variant": "kozel"}])
    def test_a_void_match_is_listed_to_its_players_and_to_staff(self, void: Match, ann: User, filters: Any) -> None:
        staff = person("Mod", is_staff=True)
        assert first_page(ann, **filters) == first_page(staff, **filters) == [void.pk]
        assert first_page(person("Eve"), **filters) == first_page(**filters) == []

    def test_personal_list_hides_them_too(self, by_link: Match, void: Match, ann: User) -> None:
        assert first_page(ann, person_id=ann.pk) == [void.pk, by_link.pk]
        assert first_page(person("Eve"), person_id=ann.pk) == []

    @pytest.mark.stack
    def test_the_counts_hide_them_too(self, by_link: Match, void: Match, ann: User, ben: User) -> None:
        assert queries.tally_by_variant(ann.pk, NOBODY) == queries.tally_by_variant(ann.pk, ben) == {}
        assert queries.tally_by_variant(ann.pk, ann) == {"kozel": Tally(1, 1, 0, 0, 0, 0)}

    def test_deleted_people_are_not_found_by_name(self, ann: User, ben: User) -> None:
        match = create_finished_match([ann, ben])
        delete_person(user=ann)
        assert first_page(name="Ann") == first_page(name="Deleted player") == []
        assert first_page() == [match.pk]


def test_stored_names_are_found_by_plain_letters() -> None:
    match = create_finished_match([person("Łukasz")], bots=1)
    match.seats.filter(index=0).update(name_key="łukasz")  # as stored by version 1.0
    import_module("games.migrations.0005_plain_name_keys").write_plain_keys(apps, None)
    assert first_page(name="lukasz") == first_page(name="Łukasz") == [match.pk]


class TestPaging:
    @pytest.mark.stack
    @pytest.mark.parametrize("filters", [{}, {"name": "Ann"}, {"variant": "kozel"}, {"outcome": "won"}])
    def test_pages_have_no_gaps_or_duplicates(self, ann: User, filters: Any, monkeypatch: Any) -> None:
        monkeypatch.setattr(queries, "PAGE_SIZE", 3)
        # Several end at the same moment: their numbers decide.
        ids = [
            create_finished_match([ann], bots=1, at=START_OF_FIRST_MATCH + timedelta(hours=number // 4)).pk
            for number in range(11)
        ]
        after = None
        pages: list[tuple[int, ...]] = []
        while not pages or after:
            page = queries.match_page(MatchFilter(**filters), NOBODY, after)
            pages.append(page.match_ids)
            after = page.next_cursor
            # What ends meanwhile comes before the pages already read.
            create_finished_match([ann], bots=1, at=START_OF_FIRST_MATCH + timedelta(days=1, hours=len(pages)))
        assert [match_id for page in pages for match_id in page] == ids[::-1]
        assert list(map(len, pages)) == [3, 3, 3, 2]

    def test_cursor_round_trips_through_the_url(self) -> None:
        cursor = Cursor(datetime(2026, 11, 21, 16, 42, 8, 123456, tzinfo=UTC), 42)
        assert Cursor.parse(str(cursor)) == cursor

    @pytest.mark.parametrize("text", ["x", "1", "-1", "1-", "1-2-3", "1" * 17 + "-1", "1-" + "1" * 19, "١-٢", "1-2\n"])
    def test_a_broken_cursor_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match=re.escape(text)):
            Cursor.parse(text)


class TestTallies:
    @pytest.mark.stack
    def test_results_are_counted_by_game(self, ann: User, ben: User) -> None:
        create_finished_match([ann, ben])
        create_finished_match([ann, ben], places=(2, 1))
        create_finished_match([ann, ben], reason="left", leaver=0)
        create_finished_match([ann, ben], reason="stopped", variant="all_fives")
        create_finished_match([ann, ben], reason="timeout", leaver=0, variant="all_fives")
        tallies = {"kozel": Tally(3, 1, 1, 1, 0, 0), "all_fives": Tally(2, 0, 0, 0, 1, 1)}
        assert queries.tally_by_variant(ann.pk, NOBODY) == tallies


INDEXES = {
    "match_finished": {},
    "match_variant": {"variant": "kozel"},
    "seat_name": {"name": "Ann"},
    "seat_user": {"person_id": 1},
    "seat_outcome": {"outcome": "left"},
}


@pytest.mark.parametrize("viewer", [NOBODY, User(pk=1)], ids=["visitor", "person"])
@pytest.mark.parametrize("after", [None, Cursor(START_OF_FIRST_MATCH, 1)], ids=["first", "later"])
@pytest.mark.parametrize(("index", "filters"), INDEXES.items())
def test_every_list_uses_an_index(index: str, filters: Any, after: Cursor | None, viewer: Any) -> None:
    plan = plan_of(lambda: queries.match_page(MatchFilter(**filters), viewer, after))
    assert f"USING INDEX {index}" in plan or f"USING COVERING INDEX {index}" in plan, plan
    assert "USE TEMP B-TREE FOR ORDER BY" not in plan


def plan_of(read: Any) -> str:
    """Return SQLite's plan for the last query of ``read``. SQLite plans without looking at the data."""
    queries: list[tuple[str, Any]] = []

    def capture(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        queries.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(capture):
        read()
    sql, params = queries[-1]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
        return "\n".join(row[-1] for row in cursor.fetchall())
