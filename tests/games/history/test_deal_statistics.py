"""Fair deals look like chance, others do not. Only public matches are counted."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.models import User
from games.engine.events import Event, RoundDealt
from games.engine.playout import playout
from games.engine.variants import registry, rules_for
from games.history.daily_deal_count import count_public_deals
from games.history.deal_statistics import DealCounts, count_deals, p_value
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
    assert p_value(chi_square, freedom) == pytest.approx(probability, rel=1e-5)


def deals(variant: str, number: int) -> list[list[Event]]:
    """Return the first deals of a number of matches."""
    rules = rules_for(variant)
    return [playout(rules, rules.seat_counts[-1], {}, f"deal {index}", leave_after=0) for index in range(number)]


@pytest.mark.parametrize("variant", sorted(registry()))
def test_fair_deals_pass_the_test(variant: str) -> None:
    (row,) = count_deals(deals(variant, 150))
    assert row["deals"] >= 150
    assert sum(row["hands_by_doubles"]) == row["deals"] * row["seats"]
    assert sum(number * hands for number, hands in enumerate(row["hands_by_doubles"])) == sum(row["doubles_per_seat"])
    assert sum(row["leads_per_seat"]) == 150
    for name in ("tiles", "doubles", "one_hand", "leads"):
        assert UNLIKELY < row[name]["probability"] <= 1


def test_mean_of_chi_square_is_its_degrees_of_freedom() -> None:
    matches = deals("kozel", 400)
    rows = [count_deals(matches[start : start + 20])[0] for start in range(0, 400, 20)]
    # With so few degrees of freedom the mean of twenty varies more: sqrt(2 / (3 * 20)) is 0.18.
    for name, near in (("tiles", 0.1), ("doubles", 0.5)):
        mean = sum(row[name]["chi_square"] / row[name]["freedom"] for row in rows) / len(rows)
        assert mean == pytest.approx(1, abs=near)


def test_too_few_leads_are_not_compared() -> None:
    """Three leads among four seats: 0.75 are expected of each, too few to say anything."""
    (row,) = count_deals(deals("kozel", 3))
    assert row["leads"] == {"chi_square": 0.0, "freedom": 0, "probability": 1.0}
    assert count_deals(deals("kozel", 20))[0]["leads"]["freedom"] == 3


def unfair(event: Event) -> Event:
    """Give all doubles that were dealt to the first seats."""
    if not isinstance(event, RoundDealt):
        return event
    best = sorted(sum(event.hands, ()), key=lambda tile: tile[0] != tile[1])
    size = len(event.hands[0])
    return replace(event, hands=tuple(tuple(best[at : at + size]) for at in range(0, len(best), size)))


def test_seats_with_too_many_doubles_are_found() -> None:
    matches = deals("kozel", 150)
    (row,) = count_deals([*matches[:100], *([unfair(event) for event in events] for events in matches[100:])])
    assert row["tiles"]["probability"] < UNLIKELY
    assert row["doubles"]["probability"] < UNLIKELY


def doubles_to(seat: int, event: Event) -> Event:
    """Give one double more to a seat for a tile of its own, where the next seat has one."""
    if not isinstance(event, RoundDealt):
        return event
    hands = [list(hand) for hand in event.hands]
    own, other = hands[seat], hands[seat + 1]
    double = next((tile for tile in other if tile[0] == tile[1]), None)
    plain = next((tile for tile in own if tile[0] != tile[1]), None)
    if double and plain:
        own[own.index(plain)], other[other.index(double)] = double, plain
    return replace(event, hands=tuple(map(tuple, hands)))


def test_one_favoured_seat_is_named() -> None:
    matches = deals("kozel", 150)
    assert count_deals(matches)[0]["doubles"]["probability"] > UNLIKELY
    (row,) = count_deals([[doubles_to(1, event) for event in events] for events in matches])
    assert max(row["doubles_per_seat"]) == row["doubles_per_seat"][1]
    assert row["doubles"]["probability"] < UNLIKELY


def test_doubles_of_a_seat_agree_with_a_manual_calculation() -> None:
    """Kozel with four seats deals 7 of 28 tiles each, 7 of them doubles: 1.75 doubles are expected in a hand.

    Were 40 deals to give 80, 60, 70 and 70, chi-square would be (10² + 10²) / 70 * 27 / 21 = 3.67.
    """
    counts = DealCounts("kozel", 4, 7, deals=40)
    for seat, number in enumerate((80, 60, 70, 70)):
        counts.tiles[seat, (6, 6)] = number
    assert counts.data()["doubles"] == {"chi_square": 3.67, "freedom": 3, "probability": 0.299}


def test_the_loop_counts_once_a_day_and_a_few_at_a_time() -> None:
    now = timezone.now()
    people = [tables.person("Ann"), tables.person("Ben")]
    assert list(count_public_deals(now)) == []
    for _ in range(6):
        over(people)
    assert list(count_public_deals(now)) == [5, 1]
    assert DealStatistics.objects.get().data[0]["deals"] == 6
    assert list(count_public_deals(now + timedelta(hours=1))) == []
    assert list(count_public_deals(now + timedelta(days=1))) == [5, 1]
    assert DealStatistics.objects.count() == 2


def over(people: list[User], **columns: Any) -> Match:
    match = tables.running_table(people, **columns)
    play.stop_match(match_id=match.pk)
    return match


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
    assert " · ".join(map(str, row["doubles_per_seat"])) in page


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse")
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


@pytest.mark.parametrize(
    ("freedom", "probability", "text"),
    [
        (27, 0.634, "χ²(27) = 24.13 p = 63.4% looks like chance"),
        (1, 0.05, "χ²(1) = 24.13 p = 5.0% looks like chance"),
        (27, 0.0312, "χ²(27) = 24.13 p = 3.1% unusual"),
        (27, 0.0002, "χ²(27) = 24.13 p = 0.0% unlikely to be chance"),
        (0, 1.0, "too few to compare"),
    ],
)
def test_page_describes_each_deviation_in_words(client: Client, freedom: int, probability: float, text: str) -> None:
    (row,) = count_deals(deals("kozel", 1))
    row["doubles"] = {"chi_square": 24.13, "freedom": freedom, "probability": probability}
    DealStatistics.objects.create(data=[row])
    cell = client.get(ADDRESS).content.decode().split("<td>")[2]
    assert " ".join(strip_tags(cell.replace("<br>", " ")).split()).endswith(text)


def test_invalid_file_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "matches.jsonl"
    file.write_text("nonsense\n")
    with pytest.raises(CommandError, match="Line 1"):
        call_command("deal_statistics", str(file))
