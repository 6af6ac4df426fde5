"""A page of a tournament reads most of its content once for all readers."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import Block
from games.models import Tournament
from games.tournaments import entering, reading
from games.tournaments.reading import Shared
from games.tournaments.rendering import page_zones
from tests.games.tables import person
from tests.games.tournaments.site import SECOND, START, announced, begin_round, entrants, running_matches

pytestmark = pytest.mark.django_db


def load(tournament: Tournament) -> Shared:
    return reading.load_shared(Tournament.objects.get(pk=tournament.pk))


def test_what_entrants_and_visitors_see_needs_no_queries_of_their_own(django_assert_num_queries: Any) -> None:
    tournament = announced()
    people = entrants(tournament, "Anna", "Bela", "Cyril", "Dora")
    begin_round(START, people)
    shared = load(tournament)
    matches = {match.slug for match in running_matches()}
    with django_assert_num_queries(0):
        assert not any(shared.needs_queries(viewer_id) for viewer_id in (None, *(user.pk for user in people)))
        owns = [reading.load_own(shared, user, START + SECOND) for user in people]
        reading.load_own(shared, AnonymousUser(), START + SECOND)
        for own in owns:
            page_zones(shared.content, own, "en")
    assert {own.match for own in owns} == matches
    assert [own.line.party for own in owns if own.line] == ["1", "2", "3", "4"]


def test_what_hosts_seekers_and_others_see_is_read_for_them() -> None:
    host = person("Host")
    tournament = announced(variant="all_fives", seats=4, options={"partners": "yes", "length": "quick"})
    Tournament.objects.filter(pk=tournament.pk).update(host=host)
    seeker = person("Anna")
    entering.enter(tournament=tournament, user=seeker, now=START - SECOND)
    shared = load(tournament)
    assert [shared.needs_queries(user.pk) for user in (host, seeker, person("Bela"))] == [True, True, True]


def test_a_person_whom_a_player_has_blocked_gets_no_link_to_the_table() -> None:
    tournament = announced()
    people = entrants(tournament, "Anna", "Bela", "Cyril", "Dora")
    begin_round(START, people)
    own_table, other_table = sorted(
        running_matches(), key=lambda match: not match.seats.filter(user=people[0]).exists()
    )
    blocker = other_table.seats.get(index=0).user
    assert blocker
    Block.objects.create(blocker=blocker, blocked=people[0])
    shared = load(tournament)
    assert [shared.needs_queries(user.pk) for user in people[:1]] == [True]
    assert reading.load_own(shared, people[0], START).hidden_matches == {other_table.slug}
    assert reading.load_own(shared, people[0], START).match == own_table.slug
