"""The choice of the featured match: only active matches, people before bots, then stakes, then company."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from games.enums import DAILY_CLOCKS, Clock, Delay, Occupant, Visibility
from games.match.listed import ListedSeat, ListedTable, TableLists
from games.match.table import AgreedTerms
from games.tv.featured import INACTIVE_AFTER, RECHECK_AFTER, active_tables, choose_featured_table, next_choice_at

CASUAL = AgreedTerms("kozel", (), rated=False, visibility=Visibility.PUBLIC, clock=Clock.NORMAL, delay=Delay.NONE)
RATED = replace(CASUAL, rated=True)
NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def table(slug: str, people: int, agreed: AgreedTerms = CASUAL, spectators: int = 0, **fields: Any) -> ListedTable:
    kinds = [Occupant.HUMAN] * people + [Occupant.BOT] * (4 - people)
    seats = tuple(ListedSeat("", "red", kind, is_guest=False, standing=None) for kind in kinds)
    fields.setdefault("last_event_at", NOW)
    return ListedTable(0, slug, agreed, "running", 1, seats, spectators, exhibition=not people, **fields)


def with_absent_player(table: ListedTable) -> ListedTable:
    first, *rest = table.seats
    return replace(table, seats=(replace(first, is_away=True), *rest))


def test_better_match_is_featured() -> None:
    rising = [
        table("bots", 0, spectators=9),
        table("alone", 1),
        with_absent_player(table("three of four", 4)),
        table("four", 4),
        table("watched", 4, spectators=2),
        table("rated", 2, RATED),
    ]
    for worse, better in pairwise(rising):
        for pair in ((worse, better), (better, worse)):
            lists = TableLists(
                running=tuple(one for one in pair if not one.exhibition),
                exhibitions=tuple(one for one in pair if one.exhibition),
            )
            assert choose_featured_table(lists, NOW) is better


def test_channel_stays_with_an_active_match_until_its_end() -> None:
    lists = TableLists(running=(table("rated", 4, RATED),), exhibitions=(table("bots", 0),))
    choices = [choose_featured_table(lists, NOW, current_slug=slug) for slug in ("bots", "gone")]
    assert [choice.slug for choice in choices if choice] == ["bots", "rated"]
    assert [other.slug for other in active_tables(lists, NOW, excluded_slug="rated")] == ["bots"]
    assert choose_featured_table(TableLists(), NOW) is None


def test_inactive_matches_are_left_out_even_if_a_page_shows_them() -> None:
    exhibition = table("bots", 0)
    inactive = [
        table("idle", 4, RATED, last_event_at=NOW - INACTIVE_AFTER),
        table("not begun for spectators", 4, RATED, last_event_at=None),
        table("away", 4, RATED, waits_for_absent=True),
        *(table(clock, 4, replace(RATED, clock=clock)) for clock in DAILY_CLOCKS),
    ]
    for left_out in inactive:
        lists = TableLists(running=(left_out,), exhibitions=(exhibition,))
        assert choose_featured_table(lists, NOW, current_slug=left_out.slug) is exhibition, left_out.slug
        assert choose_featured_table(TableLists(running=(left_out,)), NOW, current_slug=left_out.slug) is None
    thinking = table("thinking", 4, last_event_at=NOW - INACTIVE_AFTER + timedelta(milliseconds=1))
    assert choose_featured_table(TableLists(running=(thinking,)), NOW) is thinking


def test_next_choice_is_due_when_the_match_becomes_inactive_or_another_may_be_active() -> None:
    running = table("one", 4, last_event_at=NOW - timedelta(seconds=12))
    lists = TableLists(running=(running,))
    assert next_choice_at(lists, running, NOW) == NOW + timedelta(seconds=18)
    assert next_choice_at(lists, None, NOW) == NOW + RECHECK_AFTER
    assert next_choice_at(TableLists(), None, NOW) is None
