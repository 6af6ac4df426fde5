"""The page of a case shows the effects of a decision before it is made."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import Sanction, User
from games.models import Case, Match, Message, RatingChange, RatingPoints, Report
from games.moderation import acts, previews
from tests.games import tables
from tests.games.services.test_points import play_and_leave, rated
from tests.games.tables import browser_of, person


@pytest.fixture
def people(ann: User, ben: User) -> list[User]:
    return [ann, ben]


@pytest.fixture
def match(people: list[User]) -> Match:
    return Match.objects.get(pk=play_and_leave(rated(people)).pk)


def effects(case: Case) -> dict[str, str]:
    """Return the effects of a case's decision on its suspect."""
    return {
        choice: text for choice, text in previews.decision_previews(case).items() if choice in Sanction.Kind.values
    }


def test_suspension_and_closure_preview_the_tables_that_the_person_leaves(people: list[User]) -> None:
    ann, ben = people
    case = Case.objects.create(suspect=ann, area="chat")
    assert effects(case) == {}
    tables.open_table([ann, ben])
    tables.open_table([ann], bots=1)
    tables.running_table([ann, ben], rated=True, absence="forfeit")
    tables.running_table([ann, ben], absence="hold")
    tables.running_table([ben, person("Cleo")], absence="hold")
    text = "Leaves 2 open tables; ends 1 rated match; a bot plays on in 1 match."
    assert effects(case) == {"suspend": text, "close": text, "rename": "Changes 4 seats."}


@pytest.mark.stack
def test_voiding_a_match_has_the_previewed_effects(people: list[User], moderator: User, match: Match) -> None:
    gains = [seat.points_gain or 0 for seat in match.seats.all()]
    points, number = sum(map(abs, gains)), sum(map(bool, gains))
    assert points > 0
    words = "person go" if number == 1 else "people go"
    assert previews.preview_taking_ratings_back([match]) == [
        f"{points} rating points of {number} {words} back",
        "the ratings of 2 people change",
    ]
    before = sum(RatingPoints.objects.values_list("points", flat=True))
    acts.void_match(moderator=moderator, match=match, reason="a ring")
    assert before - sum(RatingPoints.objects.values_list("points", flat=True)) == sum(gains)
    assert not RatingChange.objects.exists()
    assert previews.preview_taking_ratings_back([Match.objects.get(pk=match.pk)]) == []


def test_case_page_shows_the_effects_of_each_choice(people: list[User], moderator: User, match: Match) -> None:
    ann, ben = people
    line = Message.objects.create(match=match, user=ann, name="Ann", text="idiot")
    Message.objects.create(match=match, user=ann, name="Ann", text="idiots")
    case = Case.objects.create(suspect=ann, area="chat")
    Report.objects.create(case=case, reason="insults", reporter=ben, match=match, message=line)
    tables.running_table([ann, person("Cleo")], absence="hold")
    client = browser_of(moderator)
    page = client.get(reverse("admin:games_case_change", args=[case.pk])).text
    form = page[page.index('id="decision"') :]
    for text in (
        "A bot plays on in 1 match.",
        "Changes 2 seats; changes 2 lines of chat.",
        "Hides 1 line.",
        "rating points",
    ):
        assert text in form
