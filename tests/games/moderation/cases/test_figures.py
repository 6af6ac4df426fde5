"""The monthly figures of moderation contain no names and no small numbers."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import ModerationAct, User
from games.models import Case, Report
from games.moderation.cases.figures import FIGURE_KINDS, monthly_figures
from games.moderation.texts import FIGURE_ROWS
from tests.games.tables import person

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def acts(number: int, act: str, at: datetime, user: User | None = None) -> None:
    with time_machine.travel(at, tick=False):
        for _act in range(number):
            ModerationAct.objects.create(act=act, user=user, target="user:1", reason="spam by Cleo")


def reports(number: int, at: datetime) -> None:
    with time_machine.travel(at, tick=False):
        case = Case.objects.create(suspect=person("Cleo"), area="chat")
        Report.objects.bulk_create(Report(case=case, reason="insults", words="Cleo swore") for _ in range(number))
        Report.objects.create(case=case, reason="spams", detector="floods")


@pytest.mark.stack
def test_counts_by_month_and_leaves_out_small_numbers() -> None:
    reports(7, datetime(2026, 1, 1, tzinfo=UTC))
    acts(5, "mute", datetime(2026, 2, 28, 23, 59, 59, tzinfo=UTC))
    acts(4, "suspend", datetime(2026, 2, 1, tzinfo=UTC))
    acts(9, "mute", NOW)
    february, january = monthly_figures(NOW)
    assert (str(february.first), str(january.first)) == ("2026-02-01", "2026-01-01")
    nothing = dict.fromkeys(FIGURE_KINDS)
    assert february.counts == nothing | {"mute": 5}
    assert january.counts == nothing | {"reports": 7}


def test_has_twelve_months_at_most_beginning_with_the_first_act() -> None:
    assert monthly_figures(NOW) == []
    acts(5, "void", datetime(2025, 2, 28, tzinfo=UTC))
    assert monthly_figures(NOW) == []
    acts(5, "void", datetime(2025, 3, 1, tzinfo=UTC))
    year = monthly_figures(NOW)
    assert len(year) == 12
    assert year[-1].counts["void"] == 5


def test_page_has_no_small_numbers_or_names_and_is_cached(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    reports(6, datetime(2026, 2, 3, tzinfo=UTC))
    acts(12, "lift", datetime(2026, 2, 3, tzinfo=UTC), person("Cleo"))
    acts(1, "suspend", datetime(2026, 2, 3, tzinfo=UTC), person("Cleo"))
    cache.clear()
    with time_machine.travel(NOW, tick=False):
        with django_assert_num_queries(2):
            page = client.get("/moderation/figures/").text
        with django_assert_num_queries(0):
            assert client.get("/moderation/figures/").status_code == 200
    assert "Cleo" not in page
    assert "February 2026" in page
    cells = [" ".join(cell.split()) for cell in re.findall(r'<td class="number">(.*?)</td>', page, re.DOTALL)]
    assert dict(zip(FIGURE_ROWS, cells, strict=True)) == dict.fromkeys(FIGURE_ROWS, "under 5") | {
        "reports": "6",
        "lift": "12",
    }


def test_page_has_a_row_for_every_act() -> None:
    assert set(FIGURE_ROWS) == set(FIGURE_KINDS) - {"open", "propose", "leave"}, (
        "opened and proposed cases count when they are decided"
    )
