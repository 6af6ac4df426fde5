"""The charts on a person's page: counted by hand, for the page's filters, and readable without seeing them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import blocks
from accounts.models import User
from accounts.services import delete_person
from games.history import charts
from games.history.charts import PersonCharts, chart_context, person_charts
from games.history.queries import MatchFilter
from games.moderation import reversals
from tests.games.finished import create_finished_match
from tests.games.history.test_match_table import add_report, report_of
from tests.games.tables import person

NOBODY = AnonymousUser()


def charts_of(user: User, viewer: Any = NOBODY, **filters: Any) -> PersonCharts:
    counted = person_charts(MatchFilter(person_id=user.pk, **filters), viewer)
    assert counted
    return counted


def rows_of(user: User, key: str, viewer: Any = NOBODY, **filters: Any) -> list[tuple[str, int, int, int | None]]:
    """Return the label, the matches, those won, and the percentage of opponents behind, row by row."""
    all_charts = charts_of(user, viewer, **filters).charts
    rows = next((chart.rows for chart in all_charts if chart.key == key), ())
    return [(row.label, row.matches, row.won, row.percent) for row in rows]


class TestRows:
    def test_months_are_those_of_utc_the_newest_first(self, ann: User, ben: User) -> None:
        for day, places in (((2026, 4, 30, 23), (1, 2)), ((2026, 5, 1, 0), (2, 1)), ((2026, 5, 31, 23), (1, 2))):
            create_finished_match([ann, ben], places=places, at=datetime(*day, tzinfo=UTC))
        assert rows_of(ann, "months") == [("May 2026", 2, 1, 50), ("April 2026", 1, 1, 100)]

    def test_games_have_their_results_and_filters_apply(self, ann: User, ben: User) -> None:
        create_finished_match([ann, ben, person("Cat")], places=(2, 1, 3))
        create_finished_match([ann, ben], variant="rytmino")
        assert sorted(rows_of(ann, "games")) == [("Kozel", 1, 0, 50), ("Rytmino", 1, 1, 100)]
        assert rows_of(ann, "games", variant="rytmino") == [("Rytmino", 1, 1, 100)]
        assert person_charts(MatchFilter(person_id=ann.pk, outcome="left"), NOBODY) is None

    def test_opponents_come_by_frequency_and_bots_last(self, ann: User, ben: User) -> None:
        cat = person("Cat")
        create_finished_match([ann, ben, cat], places=(1, 2, 3))
        create_finished_match([ann, cat], places=(2, 1))
        for _ in range(3):
            create_finished_match([ann], bots=1)
        assert rows_of(ann, "opponents") == [("Cat", 2, 1, 50), ("Ben", 1, 1, 100), ("Only bots", 3, 3, 100)]

    def test_partners_are_no_opponents(self, ann: User, ben: User) -> None:
        people = [ann, person("Cat"), ben, person("Dora")]
        create_finished_match(people, variant="all_fives", options={"partners": "yes"}, places=(1, 3, 1, 3))
        assert sorted(rows_of(ann, "opponents")) == [("Cat", 1, 1, 100), ("Dora", 1, 1, 100)]

    def test_blocked_deleted_and_closed_opponents_have_no_row(self, ann: User, ben: User) -> None:
        cat, dora = person("Cat"), person("Dora")
        create_finished_match([ann, ben, cat, dora])
        blocks.block(blocker=ben, blocked=cat)
        assert {name for name, *_rest in rows_of(ann, "opponents", cat)} == {"Cat", "Dora"}
        delete_person(user=ben)
        User.objects.filter(pk=dora.pk).update(is_closed=True)
        assert [name for name, *_rest in rows_of(ann, "opponents")] == ["Cat"]

    def test_stopped_matches_have_no_average_and_void_ones_do_not_count(self, ann: User, ben: User) -> None:
        create_finished_match([ann, ben], reason="stopped")
        reversals.make_void(create_finished_match([ann, ben]))
        assert [row[1:] for row in rows_of(ann, "games", ann)] == [(1, 0, None)]

    def test_only_viewers_who_can_find_a_match_see_it_counted(self, ann: User, ben: User) -> None:
        create_finished_match([ann, ben])
        create_finished_match([ann, ben], visibility="link")
        create_finished_match([ann, ben], delay="30", at=timezone.now())
        assert [rows_of(ann, "games", viewer)[0][1] for viewer in (NOBODY, person("Cat"), ben, ann)] == [1, 1, 3, 3]

    @pytest.mark.stack
    def test_only_the_latest_matches_count(self, ann: User, ben: User, monkeypatch: pytest.MonkeyPatch) -> None:
        create_finished_match([ann, ben], places=(2, 1))
        create_finished_match([ann, ben])
        monkeypatch.setattr(charts, "MAX_MATCHES", 1)
        assert [row[1:] for row in rows_of(ann, "games")] == [(1, 1, 100)]
        assert charts_of(ann).is_limited


class TestLuck:
    def test_luck_and_play_are_averaged_within_a_game(self, ann: User, ben: User) -> None:
        for luck, play in ((4.0, 1.0), (-1.0, 2.0)):
            add_report(create_finished_match([ann, ben]), report_of(lost=1.0, luck=luck, play=play))
        create_finished_match([ann, ben])
        create_finished_match([ann, ben], variant="rytmino")
        by_key = {chart.key: chart.rows for chart in charts_of(ann).charts}
        assert [(row.luck, row.play) for row in by_key["games"] if row.label == "Kozel"] == [(1.5, 1.5)]
        assert {row.luck for row in (*by_key["months"], *by_key["opponents"])} == {None}
        of_kozel = {chart.key: chart.rows for chart in charts_of(ann, variant="kozel").charts}
        assert [(row.luck, row.play) for row in of_kozel["opponents"]] == [(1.5, 1.5)]

    def test_bars_share_a_scale_and_the_text_has_the_numbers(self, ann: User, ben: User) -> None:
        add_report(create_finished_match([ann, ben]), report_of(lost=1.0, luck=4.0, play=-2.0))
        context = chart_context(charts_of(ann))
        (line,) = next(chart["lines"] for chart in context["charts"] if chart["key"] == "games")
        assert (line.luck, line.play) == ("+4.0", "−2.0")
        assert re.findall(r'class="bar-(\w+)"(?: x="([\d.]+)")?[^>]* width="([\d.]+)"', line.bar + line.balance) == [
            ("matches", "", "100.0"),
            ("won", "", "100.0"),
            ("luck", "50.0", "50.0"),
            ("play", "25.0", "25.0"),
        ]


class TestThePage:
    def page(self, client: Client, user: User, **query: str) -> str:
        text = client.get(reverse("person", args=[user.pk]), query).content.decode()
        return " ".join(re.sub(r"<[^>]+>", " ", text).split())

    def test_each_row_is_readable_as_text(self, client: Client, ann: User, ben: User) -> None:
        create_finished_match([ann, ben], at=datetime(2026, 5, 1, tzinfo=UTC))
        text = self.page(client, ann)
        assert "By month May 2026 1 match, 1 won · ahead of 100%" in text
        assert "By opponent Ben 1 match, 1 won · ahead of 100%" in text

    def test_charts_follow_the_filters_on_the_first_page_of_the_list(
        self, client: Client, ann: User, ben: User
    ) -> None:
        create_finished_match([ann, ben])
        assert "By month" in self.page(client, ann, game="kozel")
        assert "By month" not in self.page(client, ann, game="rytmino")
        assert "By month" not in self.page(client, ann, after="9999999999999999-9")
        assert "By month" not in self.page(client, ann, game="chess")

    def test_later_months_unfold(self, client: Client, ann: User, ben: User) -> None:
        for month in range(1, charts.MAX_ROWS + 1):
            create_finished_match([ann, ben], at=datetime(2025, month, 2, tzinfo=UTC))
        assert "Earlier months" not in self.page(client, ann)
        create_finished_match([ann, ben], at=datetime(2024, 12, 2, tzinfo=UTC))
        assert "Earlier months December 2024 1 match" in self.page(client, ann)
