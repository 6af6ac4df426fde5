"""A person's opponents, best rounds and costs of choices: counted by hand, and shown to nobody too early."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import blocks
from accounts.models import User
from accounts.services import delete_person
from games.engine.events import Event, Points, RoundEnded, SeatHeld, SeatReturned, Standing, Term
from games.history import person_statistics
from games.history.person_statistics import (
    best_rounds,
    frequent_opponents,
    move_choices_of_latest_matches,
    round_gains,
)
from games.match_reports.report import REPORT_VERSION, Choice, Report
from games.models import Match, MatchReport
from games.moderation import reversals
from tests.games.finished import START_OF_FIRST_MATCH, create_finished_match
from tests.games.tables import person

NOBODY = AnonymousUser()


def ended(number: int, *points: int, moves: tuple[int, ...] = ()) -> RoundEnded:
    """Return the end of a round with these points for each side, and those of its ``moves``."""
    nothing = tuple(Standing() for _ in points)
    at_end, by_moves = (tuple(Points.of(Term("x.y", "", value)) for value in values) for values in (points, moves))
    return RoundEnded(number, "out", 0, "x.y", at_end, nothing, nothing, ("",) * len(points), 0, None, made=by_moves)


def met(user: User, viewer: Any = NOBODY) -> list[tuple[str, int, int, int]]:
    """Return the name of each opponent, the matches, and how often the person was ahead and behind."""
    return [(other.name, other.matches, other.ahead, other.behind) for other in frequent_opponents(user.pk, viewer)]


def best(user: User, viewer: Any = NOBODY) -> list[tuple[str, int, float]]:
    return [(one.variant, one.round, one.gain) for one in best_rounds(user.pk, viewer)]


class TestOpponents:
    @pytest.mark.stack
    def test_equal_ranks_are_ties(self, ann: User, ben: User) -> None:
        cat = person("Cat")
        create_finished_match([ann, ben, cat], places=(1, 2, 3))
        create_finished_match([ann, ben], places=(2, 1))
        create_finished_match([ben, ann], places=(2, 1))
        create_finished_match([ann, ben], places=(1, 1))
        create_finished_match([ann, ben], reason="stopped")
        assert met(ann) == [("Ben", 4, 2, 1), ("Cat", 1, 1, 0)]
        assert met(ben) == [("Ann", 4, 1, 2), ("Cat", 1, 1, 0)]

    def test_partners_are_not_compared_with_each_other(self, ann: User, ben: User) -> None:
        cat, dora = person("Cat"), person("Dora")
        create_finished_match(
            [ann, cat, ben, dora], variant="all_fives", options={"partners": "yes"}, places=(1, 3, 1, 3)
        )
        assert sorted(met(ann)) == [("Ben", 1, 0, 0), ("Cat", 1, 1, 0), ("Dora", 1, 1, 0)]

    def test_viewer_is_listed_first(self, ann: User, ben: User) -> None:
        cat = person("Cat")
        create_finished_match([ann, cat])
        for _ in range(2):
            create_finished_match([ann, ben])
        assert [name for name, *_rest in met(ann)] == ["Ben", "Cat"]
        assert [name for name, *_rest in met(ann, cat)] == ["Cat", "Ben"]

    def test_unlisted_matches_count_for_their_players_alone(self, ann: User, ben: User) -> None:
        cat = person("Cat")
        create_finished_match([ann, ben], visibility="link")
        assert met(ann) == met(ann, cat) == []
        assert met(ann, ann) == [("Ben", 1, 1, 0)]
        assert met(ann, ben) == [("Ben", 1, 1, 0)]

    def test_an_end_that_spectators_do_not_know_yet_counts_for_the_players_alone(self, ann: User, ben: User) -> None:
        create_finished_match([ann, ben], delay="30", at=timezone.now())
        assert met(ann) == []
        assert met(ann, ben) == [("Ben", 1, 1, 0)]

    def test_a_void_match_counts_for_nobody(self, ann: User, ben: User) -> None:
        match = create_finished_match([ann, ben], events=(ended(1, 0, 20),))
        assert best(ann)
        reversals.make_void(match)
        root = person("Root", is_staff=True)
        assert met(ann) == met(ann, ann) == met(ann, root) == []
        assert best(ann) == best(ann, ann) == best(ann, root) == []

    def test_blocked_deleted_and_closed_opponents_are_hidden(self, ann: User, ben: User) -> None:
        cat, dora = person("Cat"), person("Dora")
        create_finished_match([ann, ben, cat, dora])
        blocks.block(blocker=ben, blocked=cat)
        assert {name for name, *_rest in met(ann, ben)} == {"Ben", "Dora"}
        assert {name for name, *_rest in met(ann, cat)} == {"Cat", "Dora"}
        delete_person(user=ben)
        User.objects.filter(pk=dora.pk).update(is_closed=True)
        assert met(ann) == [("Cat", 1, 1, 0)]

    @pytest.mark.stack
    def test_only_the_latest_matches_count(self, ann: User, ben: User, monkeypatch: Any) -> None:
        create_finished_match([ann, ben], places=(2, 1))
        create_finished_match([ann, ben])
        monkeypatch.setattr(person_statistics, "MATCHES_FOR_OPPONENTS", 1)
        assert met(ann) == [("Ben", 1, 1, 0)]


class TestBestRounds:
    def test_fewer_bad_points_than_the_average_are_a_gain(self) -> None:
        # 20 points altogether, 10 on the average of two: who got none has gained 10.
        assert round_gains("kozel", (0, 1), ended(1, 0, 20)) == [10, -10]

    def test_points_of_moves_and_of_the_end_are_one_gain(self) -> None:
        # 25 + 10 = 35 and 5 + 0 = 5, on average 20.
        assert round_gains("all_fives", (0, 1), ended(1, 10, 0, moves=(25, 5))) == [15, -15]

    def test_partners_gain_what_their_side_does(self) -> None:
        assert round_gains("all_fives", (0, 1, 0, 1), ended(1, 30, 10)) == [10, -10, 10, -10]

    @pytest.mark.stack
    def test_the_best_of_each_game_are_listed(self, ann: User, ben: User) -> None:
        create_finished_match([ann, ben], variant="rytmino", events=(ended(1, 8, 2),))
        create_finished_match([ann, ben], events=(ended(1, 0, 20), ended(2, 30, 0), ended(3, 0, 50), ended(4, 0, 40)))
        assert best(ann) == [("kozel", 3, 25), ("kozel", 4, 20), ("rytmino", 1, 3)]
        assert best(ben) == [("kozel", 2, 15)]

    def test_rounds_played_partly_by_a_bot_do_not_count(self, ann: User, ben: User) -> None:
        events: tuple[Event, ...] = (SeatHeld(0, "gone"), ended(1, 0, 80), ended(2, 0, 70))
        events = (*events, SeatReturned(0), ended(3, 0, 60), SeatHeld(1, "gone"), ended(4, 0, 10))
        create_finished_match([ann, ben], events=events)
        assert best(ann) == [("kozel", 4, 5)]

    def test_only_viewers_who_can_find_the_match_see_them(self, ann: User, ben: User) -> None:
        create_finished_match([ann, ben], visibility="link", events=(ended(1, 0, 20),))
        create_finished_match([ann, ben], delay="30", at=timezone.now(), events=(ended(1, 0, 60),))
        assert best(ann) == best(ann, person("Cat")) == []
        assert best(ann, ann) == best(ann, ben) == [("kozel", 1, 30), ("kozel", 1, 10)]


def reported(people: list[User], *losses: tuple[int, float], version: int = REPORT_VERSION, **columns: Any) -> Match:
    """Return a finished match with a report about the cost of choices."""
    match = create_finished_match(people, **columns)
    listed = tuple(Choice(seq, seat, loss, "0-0", "0-1", loss / 100) for seq, (seat, loss) in enumerate(losses, 1))
    MatchReport.objects.create(match=match, version=version, data=Report(listed, (), ()).to_data())
    return match


def cost(user: User, viewer: Any = NOBODY) -> list[tuple[str, float, int]]:
    return [
        (one.variant, one.player_report.lost, one.player_report.choices)
        for one in move_choices_of_latest_matches(user.pk, viewer)
    ]


class TestChoices:
    @pytest.mark.stack
    def test_each_match_with_a_report_counts_what_the_seats_own_choices_cost(self, ann: User, ben: User) -> None:
        reported([ann, ben], (0, 2.5), (1, 9.0), (0, 0.0))
        reported([ben, ann], (0, 1.0), (1, 4.0), variant="gamezz")
        reported([ann, ben], (1, 3.0))
        create_finished_match([ann, ben])
        assert cost(ann) == [("gamezz", 4.0, 1), ("kozel", 2.5, 2)]
        assert cost(ben) == [("kozel", 3.0, 1), ("gamezz", 1.0, 1), ("kozel", 9.0, 1)]

    def test_reports_of_another_version_and_of_void_matches_do_not_count(self, ann: User, ben: User) -> None:
        reported([ann, ben], (0, 2.5), version=REPORT_VERSION + 1)
        reversals.make_void(reported([ann, ben], (0, 2.5)))
        assert cost(ann) == []

    def test_only_viewers_who_can_find_the_match_see_them(self, ann: User, ben: User) -> None:
        reported([ann, ben], (0, 1.0), visibility="link")
        reported([ann, ben], (0, 2.0), delay="30", at=timezone.now())
        assert cost(ann) == cost(ann, person("Cat")) == []
        assert cost(ann, ben) == [("kozel", 2.0, 1), ("kozel", 1.0, 1)]


class TestThePage:
    def page(self, client: Client, user: User, **query: str) -> str:
        return client.get(reverse("person", args=[user.pk]), query).content.decode()

    def test_page_has_the_results_between_viewer_and_person(self, client: Client, ann: User, ben: User) -> None:
        for places in ((1, 2), (2, 1), (1, 2)):
            create_finished_match([ann, ben], places=places)
        between = "You and Ann: 1 to 2"
        assert between not in self.page(client, ann)
        client.force_login(ben)
        assert between in " ".join(self.page(client, ann).split())
        assert between not in self.page(client, ben)

    def test_a_round_leads_to_its_place_in_the_review(self, client: Client, ann: User, ben: User) -> None:
        match = create_finished_match([ann, ben], events=(ended(3, 0, 20),))
        text = self.page(client, ann)
        assert f'href="{reverse("match-review", args=[match.slug])}?round=3&amp;as=0"' in text

    def test_search_shows_only_matches(self, client: Client, ann: User, ben: User) -> None:
        create_finished_match([ann, ben], events=(ended(3, 0, 20),))
        assert "Opponents" in self.page(client, ann)
        for query in ({"game": "kozel"}, {"after": "0-0"}):
            text = self.page(client, ann, **query)
            assert "Opponents" not in text
            assert "Best rounds" not in text

    def test_page_shows_the_cost_of_choices_over_time(self, client: Client, ann: User, ben: User) -> None:
        """5 points in two choices cost 5 % of the chance, 1 in two 1 %: 3 % a match, 2.5 and 0.5 points a choice."""
        assert "Chance to win lost by choices" not in self.page(client, ann)
        reported([ann, ben], (0, 1.0), (0, 4.0))
        last = reported([ann, ben], (0, 1.0), (0, 0.0))
        page = self.page(client, ann)
        assert 'Kozel <b class="numeric">3%</b>' in page
        assert "chance to win lost by choices, match by match, between 1% and 5%" in page
        assert f"{reverse('match-review', args=[last.slug])}?as=0" in page
        assert '<td class="number">1%</td>' in page
        assert '<td class="number">0.5</td>' in page

    def test_page_shows_since_when_the_person_is_here(self, client: Client, ann: User, ben: User) -> None:
        User.objects.filter(pk=ann.pk).update(date_joined=START_OF_FIRST_MATCH)
        create_finished_match([ann, ben])
        assert "Joined: March 2026" in " ".join(self.page(client, ann).split())
