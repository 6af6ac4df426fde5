"""The tournaments of the site."""

from __future__ import annotations

from datetime import timedelta

from games.tournaments.announcing import Announcement
from games.tournaments.schedule import WEEK, planned_tournaments
from games.words import offered_variants
from tests.games.tournaments.site import START

SUNDAY = START + timedelta(days=1)


def planned_for(number: int, kind: str) -> Announcement:
    """Return the tournament that is planned a week before the weekend with this number."""
    (planned,) = (
        announcement
        for _plan, announcement in planned_tournaments(START - WEEK + number * WEEK)
        if announcement.format == kind
    )
    return planned


def test_every_sunday_has_a_duplicate_tournament_of_the_games_in_turn() -> None:
    weeks = range(len(offered_variants()))
    planned = [planned_for(number, "duplicate") for number in weeks]
    assert [tournament.starts_at for tournament in planned] == [SUNDAY - WEEK + number * WEEK for number in weeks]
    assert {tournament.rounds for tournament in planned} == {8}
    assert {tournament.variant for tournament in planned} == set(offered_variants())


def test_a_weekend_has_two_games() -> None:
    for number in range(len(offered_variants())):
        swiss, duplicate = planned_for(number, "swiss"), planned_for(number + 1, "duplicate")
        assert duplicate.starts_at - swiss.starts_at == timedelta(days=1)
        assert duplicate.variant != swiss.variant
