"""A person's matches as a table: one line per match, safe in spreadsheets, and equal to the page's numbers."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from io import StringIO
from itertools import count, pairwise
from random import Random
from statistics import fmean
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import formats

from accounts.models import User
from games.engine.decide import new_match
from games.engine.events import Event, Passed, Standing
from games.engine.notation import standing_to_json
from games.engine.variants import rules_for
from games.history import match_table
from games.history.charts import ChartRow
from games.history.match_table import COLUMNS, csv_text, harmless_text
from games.match import record
from games.match_reports.report import REPORT_VERSION, Choice, Report, RoundReport
from games.models import Match, MatchReport, RatingChange, Seat
from games.moderation import reversals
from tests.games.finished import START_OF_FIRST_MATCH, create_finished_match
from tests.games.tables import browser_of, person

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse")
VARIANTS = ("kozel", "all_fives", "rytmino")
Rows = list[dict[str, str]]


def table(user: User, viewer: User | None = None, **query: str) -> Rows:
    """Return the lines of a person's table."""
    response = browser_of(viewer).get(reverse("person-table", args=[user.pk]), query)
    assert response.status_code == 200
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    text = b"".join(response).decode()
    assert text.startswith("\ufeff")
    return list(csv.DictReader(StringIO(text.removeprefix("\ufeff"), newline="")))


def report_of(*, lost: float, luck: float, play: float, seats: int = 2) -> Report:
    """Return a report with one choice of the first seat, and its luck and play."""
    total, rest = luck + play, (0.0,) * (seats - 2)
    row = RoundReport(1, (total, -total, *rest), (luck, -luck, *rest), (0.5, 0.5, *rest), (0.0, 0.0, *rest))
    return Report((Choice(1, 0, lost, "0-0", "0-1", lost / 100),), (row,), ())


def add_report(match: Match, report: Report) -> None:
    MatchReport.objects.create(match=match, version=REPORT_VERSION, data=report.to_data())


def rated_change(match: Match, user: User, before: float, after: float) -> RatingChange:
    """Return a rating change between two values of ``mu``."""
    columns = {"match": match, "user": user, "variant": match.variant, "at": match.finished_at or START_OF_FIRST_MATCH}
    return RatingChange(seat=0, side=0, place=1, mu_before=before, sigma_before=3.0, mu=after, sigma=3.0, **columns)


class TestLines:
    def test_a_line_has_the_figures_of_a_match(self, ann: User, ben: User) -> None:
        at = datetime(2026, 5, 4, 3, 2, 1, 999, tzinfo=UTC)
        match = create_finished_match([ann, ben], rated=True, at=at)
        match.standing = standing_to_json((Standing(21), Standing(104)))
        match.save()
        add_report(match, report_of(lost=2.5, luck=-3.25, play=44.75))
        RatingChange.objects.all().delete()
        rated_change(match, ann, 25.0, 26.0).save()
        (row,) = table(ann)
        assert tuple(row) == COLUMNS
        assert row == {
            "finished_at": "2026-05-04T03:02:01Z",
            "game": "Kozel",
            "table": "2 players, Full, Stakes: Rated",
            "opponents": "Ben",
            "partners": "",
            "result": "won",
            "place": "1",
            "ahead_of": "1.0",
            "own_points": "21",
            "other_points": "104",
            "choices": "1",
            "chance_lost": "0.025",
            "points_lost": "2.5",
            "luck": "-3.25",
            "play": "44.75",
            "seconds_used": "",
            "rating_before": "1500",
            "rating_after": "1548",
            "link": f"http://testserver/match/{match.slug}/review/",
        }

    def test_a_tie_counts_half_and_places_are_those_of_the_sides(self, ann: User, ben: User) -> None:
        create_finished_match([ann, ben, person("Cat")], places=(1, 1, 3))
        assert [(row["place"], row["ahead_of"]) for row in table(ann)] == [("1", "0.75")]

    def test_partners_are_not_opponents(self, ann: User, ben: User) -> None:
        options, people = {"partners": "yes"}, [ann, ben, person("Cat"), person("Dora")]
        create_finished_match(people, variant="all_fives", options=options, places=(1, 3, 1, 3))
        (row,) = table(ann)
        assert (row["opponents"], row["partners"], row["ahead_of"]) == ("Ben, Dora", "Cat", "1.0")

    def test_stopped_and_void_matches_have_no_place(self, ann: User, ben: User) -> None:
        create_finished_match([ann, ben], reason="stopped")
        reversals.make_void(create_finished_match([ann, ben]))
        rows = table(ann, ann)
        assert [(row["result"], row["place"], row["ahead_of"]) for row in rows] == [
            ("stopped", "", ""),
            ("void", "", ""),
        ]

    def test_seconds_count_the_persons_own_moves(self, ann: User, ben: User) -> None:
        events: Sequence[Event] = (Passed(0, 1), Passed(1, 0), Passed(0, 1), Passed(0, 1, by="bot"), Passed(0, 1))
        match = create_finished_match([ann, ben], events=events)
        # The first event has no turn before it. Seat 0 then takes 5 and 20 seconds; a bot took 7.
        moments = [START_OF_FIRST_MATCH + timedelta(seconds=seconds) for seconds in (0, 40, 45, 52, 72)]
        record.backdate_events(match.pk, moments)
        assert [row["seconds_used"] for row in table(ann)] == ["25"]
        assert [row["seconds_used"] for row in table(ben)] == ["40"]

    def test_filters_apply_and_the_oldest_match_comes_first(self, ann: User, ben: User) -> None:
        for variant, places in (("kozel", (1, 2)), ("rytmino", (2, 1)), ("kozel", (2, 1))):
            create_finished_match([ann, ben], variant=variant, places=places)
        assert [(row["game"], row["result"]) for row in table(ann)] == [
            ("Kozel", "won"),
            ("Rytmino", "lost"),
            ("Kozel", "lost"),
        ]
        assert [row["game"] for row in table(ann, result="lost", game="kozel")] == ["Kozel"]
        assert table(ann, to="2001-01-01") == []

    def test_the_page_links_to_downloads_with_its_filters(self, client: Client, ann: User, ben: User) -> None:
        create_finished_match([ann, ben])
        page = client.get(reverse("person", args=[ann.pk]), {"game": "kozel", "after": "9999999999999999-9"})
        address = reverse("person-table", args=[ann.pk])
        assert f'href="{address}?game=kozel"' in page.content.decode()
        assert f'href="{address}"' in client.get(reverse("person", args=[ann.pk])).content.decode()


class TestSafety:
    @pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM", "\uff1d1+1", "\t=1"])
    def test_names_never_begin_a_formula(self, name: str) -> None:
        assert harmless_text(name).lstrip().startswith("'")
        assert harmless_text(f"Ann, {name}").startswith("Ann, ")
        assert f"'{name.lstrip()}" in harmless_text(f"Ann, {name}")

    def test_names_of_opponents_are_harmless_in_the_file(self, ann: User) -> None:
        create_finished_match([ann, person('=HYPERLINK("x")'), person("Ann;@x")])
        (row,) = table(ann)
        assert row["opponents"] == "'=HYPERLINK(\"x\"), Ann;'@x"

    def test_numbers_stay_numbers(self) -> None:
        assert csv_text([[-3.5, 4, None, "a"]]) == "-3.5,4,,a\r\n"

    def test_a_delayed_match_is_in_the_table_of_its_players_alone(self, ann: User, ben: User) -> None:
        create_finished_match([ann, ben])
        create_finished_match([ann, ben], delay="30", at=datetime.now(UTC), rated=True)
        assert len(table(ann, ann)) == 2
        assert len(table(ann, person("Cat"))) == len(table(ann)) == 1


# 500 matches


def create_many(ann: User, opponents: Sequence[User], number: int = 500) -> None:
    """Create matches of two in rows, of three games over some twenty months, with results, reports and ratings."""
    chance, numbers, mu = Random(number), count(1), dict.fromkeys(VARIANTS, 25.0)
    options = {key: dict(new_match(rules_for(key), 2, {}).options) for key in VARIANTS}
    matches = [
        Match(
            slug=f"m{place}",
            variant=(variant := chance.choice(VARIANTS)),
            options=options[variant],
            seat_count=2,
            rated=True,
            status=Match.Status.FINISHED,
            started_at=START_OF_FIRST_MATCH,
            finished_at=START_OF_FIRST_MATCH + timedelta(hours=30 * place),
            standing=standing_to_json((Standing(chance.randrange(120)), Standing(chance.randrange(120)))),
        )
        for place in (next(numbers) for _ in range(number))
    ]
    Match.objects.bulk_create(matches)
    seats, reports, changes = [], [], []
    for match in matches:
        is_won, opponent = chance.random() < 0.6, chance.choice(opponents)
        for index, (user, wins) in enumerate(((ann, is_won), (opponent, not is_won))):
            outcome = Seat.Outcome.WON if wins else Seat.Outcome.LOST
            columns = {"finished_at": match.finished_at, "variant": match.variant, "listed": True, "outcome": outcome}
            place = 1 if wins else 2
            seats.append(Seat(match=match, index=index, user=user, name=user.name, place=place, **columns))
        report = report_of(lost=chance.randrange(90) / 4, luck=chance.randrange(-90, 90) / 4, play=1.25)
        reports.append(MatchReport(match=match, version=REPORT_VERSION, data=report.to_data()))
        before = mu[match.variant]
        mu[match.variant] += chance.uniform(-0.5, 0.5)
        changes.append(rated_change(match, ann, before, mu[match.variant]))
    Seat.objects.bulk_create(seats)
    MatchReport.objects.bulk_create(reports)
    RatingChange.objects.bulk_create(changes)


def month_name(row: dict[str, str]) -> str:
    return formats.date_format(datetime.fromisoformat(row["finished_at"]), "YEAR_MONTH_FORMAT")


def sums(rows: Rows, key: Callable[[dict[str, str]], str], *, with_luck: bool) -> dict[str, tuple[Any, ...]]:
    """Return the numbers of a chart, from the lines of the table."""
    groups: dict[str, Rows] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return {
        label: (
            len(group),
            sum(row["result"] == "won" for row in group),
            round(fmean(float(row["ahead_of"]) for row in group), 6),
            *([round(fmean(float(row[name]) for row in group), 6) for name in ("luck", "play")] if with_luck else ()),
        )
        for label, group in groups.items()
    }


def numbers_of(rows: Sequence[ChartRow]) -> dict[str, tuple[Any, ...]]:
    averages = {
        row.label: [average for average in (row.beaten_opponents_share, row.luck, row.play) if average is not None]
        for row in rows
    }
    return {row.label: (row.matches, row.won, *(round(number, 6) for number in averages[row.label])) for row in rows}


def test_500_matches_add_up_to_the_charts_and_the_leaderboard(
    client: Client, ann: User, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_table, "MATCHES_PER_READ", 60)
    create_many(ann, [ben, person("Cat"), person("Dora")])
    rows = table(ann)
    assert len(rows) == 500
    context = client.get(reverse("person", args=[ann.pk])).context
    charts = {chart.key: numbers_of(chart.rows) for chart in context["charts_of"].charts}
    assert charts["months"] == sums(rows, month_name, with_luck=False)
    assert charts["games"] == sums(rows, lambda row: row["game"], with_luck=True)
    assert charts["opponents"] == sums(rows, lambda row: row["opponents"], with_luck=False)
    assert len(charts["months"]) > 20
    for game in context["games"]:
        of_game = [row for row in rows if row["game"] == game["name"]]
        results = [row["result"] for row in of_game]
        assert (len(results), results.count("won"), results.count("lost")) == tuple(game["tally"])[:3]
        leaders = client.get(reverse("leaderboard", args=[game["key"]])).context["leaders"]
        assert [(user.pk, skill.rating) for user, skill in leaders] == [(ann.pk, int(of_game[-1]["rating_after"]))]
        for before, after in pairwise(of_game):
            assert after["rating_before"] == before["rating_after"]
    filtered = client.get(reverse("person", args=[ann.pk]), {"game": "kozel"}).context
    of_kozel = sums([row for row in rows if row["game"] == "Kozel"], month_name, with_luck=True)
    assert numbers_of(filtered["charts_of"].charts[0].rows) == of_kozel


def test_a_large_table_comes_in_parts(ann: User, ben: User) -> None:
    create_many(ann, [ben], 12)
    parts = list(browser_of().get(reverse("person-table", args=[ann.pk])))
    assert [part.count(b"\r\n") for part in parts] == [1, 5, 5, 2]
