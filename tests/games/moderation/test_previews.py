"""What an act would do is said before it is pressed: on the page of a case."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Sanction, User
from accounts.sanctions import previews
from games.models import Case, Match, Message, RatingChange, RatingPoints, Report
from games.moderation import acts
from games.moderation import previews as of_tables
from tests.games import tables
from tests.games.services.test_points import ended, rated
from tests.games.tables import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[User]:
    return [person("Ann"), person("Ben")]


@pytest.fixture
def match(people: list[User]) -> Match:
    return Match.objects.get(pk=ended(rated(people)).pk)


@pytest.mark.parametrize("kind", [Sanction.Kind.SUSPENSION, Sanction.Kind.CLOSURE])
def test_which_tables_a_person_leaves_and_what_becomes_of_them(people: list[User], kind: str) -> None:
    ann, ben = people
    assert previews.of(kind, ann) == ""
    tables.open_table([ann, ben])
    tables.open_table([ann], bots=1)
    tables.running_table([ann, ben], rated=True, absence="forfeit")
    tables.running_table([ann, ben], absence="hold")
    tables.running_table([ben, person("Cleo")], absence="hold")
    said = "leaves 2 open tables; ends 1 rated match; a bot plays on in 1 match"
    assert previews.of(kind, ann) == said
    assert previews.of(Sanction.Kind.MUTE, ann) == ""


@pytest.mark.stack
def test_it_comes_true(people: list[User], moderator: User, match: Match) -> None:
    """The gains of the match are what goes back, and to the two who have them."""
    gains = [seat.points_gain or 0 for seat in match.seats.all()]
    points, number = sum(map(abs, gains)), sum(map(bool, gains))
    assert points > 0
    words = "person go" if number == 1 else "people go"
    said = [f"{points} rating points of {number} {words} back", "the ratings of 2 people change"]
    assert of_tables.taking_back([match]) == said
    before = sum(RatingPoints.objects.values_list("points", flat=True))
    acts.void_match(moderator=moderator, match=match, reason="a ring")
    assert before - sum(RatingPoints.objects.values_list("points", flat=True)) == sum(gains)
    assert not RatingChange.objects.exists()
    assert of_tables.taking_back([Match.objects.get(pk=match.pk)]) == []


def test_how_many_seats_and_lines_a_name_leaves(people: list[User], match: Match) -> None:
    for text in ("one", "two"):
        Message.objects.create(match=match, user=people[0], name="Ann", text=text)
    assert previews.of(Sanction.Kind.RENAMING, people[0]) == "changes 1 seat; changes 2 lines of chat"


def test_the_page_of_a_case_says_what_each_decision_would_do(
    people: list[User], moderator: User, match: Match
) -> None:
    ann, ben = people
    line = Message.objects.create(match=match, user=ann, name="Ann", text="idiot")
    case = Case.objects.create(suspect=ann, area="chat")
    Report.objects.create(case=case, reason="insults", reporter=ben, match=match, message=line)
    tables.running_table([ann, person("Cleo")], absence="hold")
    client = Client()
    client.force_login(moderator)
    page = client.get(reverse("admin:games_case_change", args=[case.pk])).text
    shown = page[page.index('id="decision"') :]
    for said in (
        "A bot plays on in 1 match.",
        "Changes 2 seats; changes 1 line of chat.",
        "Hides 1 line.",
        "rating points",
    ):
        assert said in shown
