"""A moderator ends a running match against a player: the rulebook settles it, and declaring it void undoes it."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from accounts import notices
from accounts.models import Sanction, User
from accounts.sanctions import moderation_log
from games.errors import Refused
from games.match import record
from games.models import ConductMark, Match, RatingChange, RatingPoints, Seat
from games.moderation import acts, decisions, previews
from games.moderation.cases.reporting import ReportedPlace, report_person
from games.ratings.recomputing import Comparison, recompute_ratings
from games.services import play
from tests.games import tables
from tests.games.services.test_points import rated

REASON = "He says his hand to a friend."


@pytest.fixture
def people() -> list[User]:
    return [tables.person(name) for name in ("Ann", "Ben", "Cleo")]


@pytest.fixture
def match(people: list[User]) -> Match:
    """A rated match of All Fives after its first round."""
    match = play.start_match(match=rated(people, variant="all_fives", absence="hold", clock="relaxed"))
    tables.play_round(match)
    return match


def leader(match: Match) -> Seat:
    """Return the seat with the most points, which would win."""
    points = [standing.points for standing in record.state_of(match.pk, tables.locked_row(match).version).standing]
    assert points.count(max(points)) == 1
    return match.seats.get(index=points.index(max(points)))


def places(match: Match) -> dict[str, int | None]:
    return dict(match.seats.values_list("name", "place"))


@pytest.mark.stack
def test_the_player_comes_last_and_the_others_by_their_points(
    moderator: User, match: Match, people: list[User]
) -> None:
    against = leader(match)
    standing = record.state_of(match.pk, tables.locked_row(match).version).standing
    opponents = [seat for seat in match.seats.order_by("index") if seat != against]
    ahead, behind = sorted(opponents, key=lambda seat: -standing[seat.index].points)
    expected = {ahead.name: 1, behind.name: 2, against.name: 3}
    assert previews.preview_settling([against]) == [
        f"ends the match: 1. {ahead.name}; 2. {behind.name}; 3. {against.name}"
    ]
    acts.settle_match(moderator=moderator, seat=against, reason=REASON)
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    assert places(match) == expected
    assert match.seats.get(pk=against.pk).outcome == Seat.Outcome.LEFT
    assert RatingChange.objects.filter(match=match).count() == 3
    assert recompute_ratings("all_fives") == Comparison(3, 0)
    assert not ConductMark.objects.filter(user=against.user_id).exists()
    for person in people:
        person.refresh_from_db()
        (notice,) = notices.pending_notices(person)
        assert f"and declared that {against.name} lost it. Reason: {REASON}" in notice.text
    assert previews.preview_settling([Seat.objects.get(pk=against.pk)]) == []


def test_ranks_are_hidden_until_points_are_public(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(delay="120")
    assert previews.preview_settling(Seat.objects.filter(match=match.pk, index=0)) == ["ends the match"]


def test_voiding_reverses_the_settlement(moderator: User, match: Match) -> None:
    acts.settle_match(moderator=moderator, seat=leader(match), reason=REASON)
    acts.void_match(moderator=moderator, match=match, reason="It was somebody else.")
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    assert not RatingChange.objects.exists()
    assert set(match.seats.values_list("outcome", flat=True)) == {""}
    assert not RatingPoints.objects.exclude(points=0).exists()


def test_only_a_running_match_is_settled_and_only_against_somebody(moderator: User, people: list[User]) -> None:
    waiting = tables.open_table([*people[:1]], bots=1)
    with pytest.raises(Refused, match="not_running"):
        acts.settle_match(moderator=moderator, seat=waiting.seats.get(index=0), reason=REASON)
    running = tables.running_table(people[1:2], bots=1)
    with pytest.raises(ValidationError, match="This seat is empty"):
        acts.settle_match(moderator=moderator, seat=running.seats.get(index=1), reason=REASON)
    assert not waiting.seats.get(index=0).removed


@pytest.mark.parametrize(
    ("chosen", "status"),
    [("settle", "finished"), ("remove", "running"), ("stop", "stopped"), ("void", "void"), ("", "running")],
)
def test_case_decision_settles_reported_matches(moderator: User, match: Match, chosen: str, status: str) -> None:
    ann, ben = (seat.user for seat in match.seats.order_by("index")[:2])
    case = report_person(reporter=ben, suspect=ann, reason="throws", place=ReportedPlace(match, 3)).case
    assert not chosen or chosen in previews.decision_previews(case)
    decisions.decide_case(
        moderator=moderator, case=case, measure=Sanction.Kind.WARNING, correction=chosen, reason=REASON
    )
    match.refresh_from_db()
    assert (match.status, match.seats.filter(user=ann).exists()) == (status, chosen != "remove")
    logged = moderation_log.logged_acts().filter(evidence=f"case:{case.pk}").values_list("act", flat=True)
    assert set(logged) == {"warn", chosen} - {""}
    if chosen == "settle":
        assert places(match)["Ann"] == 3
