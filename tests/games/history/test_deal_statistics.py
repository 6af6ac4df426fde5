"""Fair deals look like chance, others do not; only what everybody may see is counted."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.html import strip_tags

from accounts.models import User
from games.engine.events import Event, RoundDealt
from games.engine.playout import playout
from games.engine.variants import registry, rules_for
from games.history.deal_statistics import counted, tail
from games.models import DealStatistics, Match
from games.services import play
from tests.games import tables

ADDRESS = "/fair-dealing/statistics/"
UNLIKELY = 1e-3


@pytest.mark.parametrize(
    ("chi_square", "freedom", "probability"),
    [(3.841459, 1, 0.05), (5.991465, 2, 0.05), (18.307038, 10, 0.05), (124.342113, 100, 0.05), (2.0, 2, 0.367879)],
)
def test_the_tail_agrees_with_printed_tables(chi_square: float, freedom: int, probability: float) -> None:
    assert tail(chi_square, freedom) == pytest.approx(probability, rel=1e-5)


def deals(variant: str, number: int) -> list[list[Event]]:
    """Return the first deal of so many matches."""
    rules = rules_for(variant)
    return [playout(rules, rules.seat_counts[-1], {}, f"deal {each}", leave_after=0) for each in range(number)]


@pytest.mark.parametrize("variant", sorted(registry()))
def test_fair_deals_look_like_chance(variant: str) -> None:
    (row,) = counted(deals(variant, 150))
    assert row["deals"] >= 150
    assert row["tiles_per_seat"] == [row["deals"] * row["hand"]] * row["seats"]
    assert sum(row["leads_per_seat"]) == 150
    for name in ("tiles", "doubles", "leads"):
        assert UNLIKELY < row[name]["probability"] <= 1


def test_the_average_of_chi_square_is_its_degrees_of_freedom() -> None:
    matches = deals("kozel", 400)
    rows = [counted(matches[start : start + 20])[0] for start in range(0, 400, 20)]
    mean = sum(row["tiles"]["chi_square"] / row["tiles"]["freedom"] for row in rows) / len(rows)
    assert mean == pytest.approx(1, abs=0.1)


def unfair(event: Event) -> Event:
    """Give all doubles that were dealt to the first seats."""
    if not isinstance(event, RoundDealt):
        return event
    best = sorted(sum(event.hands, ()), key=lambda tile: tile[0] != tile[1])
    size = len(event.hands[0])
    return replace(event, hands=tuple(tuple(best[at : at + size]) for at in range(0, len(best), size)))


def test_seats_that_get_the_doubles_show() -> None:
    matches = deals("kozel", 150)
    (row,) = counted([*matches[:100], *([unfair(event) for event in events] for events in matches[100:])])
    assert row["tiles"]["probability"] < UNLIKELY
    assert row["doubles"]["probability"] < UNLIKELY


def over(people: list[User], **columns: Any) -> Match:
    match = tables.running_table(people, **columns)
    play.stop(match_id=match.pk)
    return match


@pytest.mark.django_db
def test_only_public_matches_that_are_over_are_counted(client: Client) -> None:
    people = [tables.person("Ann"), tables.person("Ben")]
    assert b"Nothing has been counted yet" in client.get(ADDRESS).content
    over(people)
    over(people, visibility="link")
    tables.running_table(people)
    call_command("deal_statistics", stdout=StringIO())
    (row,) = DealStatistics.objects.get().data
    assert sum(row["leads_per_seat"]) == 1
    page = client.get(ADDRESS).content.decode()
    assert "Kozel" in page
    assert " · ".join(map(str, row["tiles_per_seat"])) in page


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse")
@pytest.mark.django_db
def test_the_exports_of_a_person_and_of_the_whole_site_give_the_same_numbers(client: Client, tmp_path: Path) -> None:
    people = [tables.person("Ann"), tables.person("Ben")]
    for variant in ("kozel", "kozel", "rytmino"):
        over(people, variant=variant)
    over(people, visibility="link")
    tables.running_table(people)
    stored, everything = StringIO(), StringIO()
    call_command("deal_statistics", stdout=stored)
    call_command("export_matches", stdout=everything)
    of_person = b"".join(client.get(f"/people/{people[0].pk}/matches.jsonl")).decode()
    assert everything.getvalue() == of_person
    file = tmp_path / "matches.jsonl"
    file.write_text(everything.getvalue())
    exported = StringIO()
    call_command("deal_statistics", str(file), stdout=exported)
    assert exported.getvalue() == stored.getvalue()
    assert DealStatistics.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("freedom", "probability", "said"),
    [
        (27, 0.634, "χ²(27) = 24.13 p = 63.4 % looks like chance"),
        (1, 0.05, "χ²(1) = 24.13 p = 5.0 % looks like chance"),
        (27, 0.0312, "χ²(27) = 24.13 p = 3.1 % unusual"),
        (27, 0.0002, "χ²(27) = 24.13 p = 0.0 % hardly chance"),
        (0, 1.0, "too few to compare"),
    ],
)
def test_the_page_says_in_words_how_far_each_count_is_from_chance(
    client: Client, freedom: int, probability: float, said: str
) -> None:
    (row,) = counted(deals("kozel", 1))
    row["doubles"] = {"chi_square": 24.13, "freedom": freedom, "probability": probability}
    DealStatistics.objects.create(data=[row])
    cell = client.get(ADDRESS).content.decode().split("<td>")[2]
    assert " ".join(strip_tags(cell.replace("<br>", " ")).split()).endswith(said)


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    file = tmp_path / "matches.jsonl"
    file.write_text("nonsense\n")
    with pytest.raises(CommandError, match="Line 1"):
        call_command("deal_statistics", str(file))
