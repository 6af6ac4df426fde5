"""The choice of the featured match: people before bots, then stakes, then company."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

from games.enums import Clock, Delay, Occupant, Visibility
from games.match.listed import ListedSeat, ListedTable, TableLists
from games.match.table import AgreedTerms
from games.tv.featured import choose_featured_table

CASUAL = AgreedTerms("kozel", (), rated=False, visibility=Visibility.PUBLIC, clock=Clock.NORMAL, delay=Delay.NONE)
RATED = replace(CASUAL, rated=True)


def table(slug: str, people: int, agreed: AgreedTerms = CASUAL, spectators: int = 0) -> ListedTable:
    kinds = [Occupant.HUMAN] * people + [Occupant.BOT] * (4 - people)
    seats = tuple(ListedSeat("", "red", kind, is_guest=False, standing=None) for kind in kinds)
    return ListedTable(0, slug, agreed, "running", 1, seats, spectators, exhibition=not people)


def test_better_match_is_featured() -> None:
    rising = [
        table("bots", 0, spectators=9),
        table("alone", 1),
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
            assert choose_featured_table(lists) is better


def test_channel_stays_with_a_match_until_its_end() -> None:
    lists = TableLists(running=(table("rated", 4, RATED),), exhibitions=(table("bots", 0),))
    cases: list[dict[str, Any]] = [{"current_slug": "bots"}, {"current_slug": "gone"}, {"excluded_slugs": ["rated"]}]
    choices = [choose_featured_table(lists, **options) for options in cases]
    assert [choice.slug for choice in choices if choice] == ["bots", "rated", "bots"]
    assert choose_featured_table(TableLists()) is None
