"""The pages of the history, without JavaScript."""

from __future__ import annotations

import re
import unicodedata
from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import blocks
from accounts.models import User
from accounts.services import delete_person
from games.engine.playout import playout
from games.engine.variants import rules_for
from games.history import queries as history_queries
from games.history.filters import HistoryForm
from games.history.matches import finished_matches
from games.history.rendering import match_lines
from games.history.views import visible_points
from games.models import Match, RatingPoints
from games.moderation import reversals
from tests.games.finished import START_OF_FIRST_MATCH, create_finished_match
from tests.games.tables import person

MATCHES = "/matches/"


def page(client: Client, path: str = MATCHES, status: int = 200, **query: str) -> str:
    response = client.get(path, query)
    assert response.status_code == status
    return response.content.decode()


def of(user: User) -> str:
    return reverse("person", args=[user.pk])


class TestTheList:
    def test_matches_of_bots_alone_show_once_their_box_is_ticked(self, client: Client) -> None:
        match = create_finished_match([], bots=2)
        assert match.slug not in page(client)
        assert match.slug in page(client, bots="on")

    def test_a_line_leads_to_table_review_and_scores(self, client: Client, ann: User, ben: User) -> None:
        match = create_finished_match([ann, ben], round=3)
        text = page(client)
        for name in ("match", "match-review", "match-scores"):
            assert f'href="{reverse(name, args=[match.slug])}"' in text
        assert "3 rounds" in text
        assert f'datetime="{match.finished_at.isoformat()}"' in text

    def test_names_lead_to_people_but_not_those_of_bots_and_deleted_people(
        self, client: Client, ann: User, ben: User
    ) -> None:
        create_finished_match([ann, ben], bots=1)
        delete_person(user=ben)
        text = page(client)
        assert f'href="{of(ann)}"' in text
        assert text.count('href="/people/') == 1
        assert "Deleted player" in text
        assert "Bot 2" in text

    def test_players_are_listed_by_rank_with_scores(self, ann: User, ben: User) -> None:
        events = playout(rules_for("kozel"), 2, {}, "history", leave_after=30)
        match = create_finished_match([ann, ben], places=(2, 1), events=events)
        (listed,) = finished_matches([match.pk])
        assert [(side.place, side.players[0].name) for side in listed.sides] == [(1, "Ben"), (2, "Ann")]
        assert all(side.standing is not None for side in listed.sides)
        assert match_lines([listed], "en").count('class="score') == 2

    def test_partners_share_a_line_and_a_place(self, ann: User, ben: User) -> None:
        options = {"partners": "yes"}
        match = create_finished_match([ann, ben], bots=2, variant="all_fives", options=options, places=(3, 1, 3, 1))
        (listed,) = finished_matches([match.pk])
        assert [(side.place, [player.name for player in side.players]) for side in listed.sides] == [
            (1, ["Ben", "Bot 3"]),
            (2, ["Ann", "Bot 2"]),
        ]

    def test_nobody_has_a_place_in_a_stopped_match(self, client: Client, ann: User, ben: User) -> None:
        match = create_finished_match([ann, ben], reason="stopped")
        assert [side.place for side in finished_matches([match.pk])[0].sides] == [None, None]
        assert "stopped</span>" in page(client)

    def test_names_cannot_break_the_page(self, client: Client) -> None:
        user = person("<b>Bob</b>")
        create_finished_match([user], bots=1)
        assert "<b>Bob</b>" not in page(client) + page(client, of(user)) + page(client, player="<b>Bob</b>")

    def test_a_page_costs_the_same_for_one_match_and_for_ten(self, client: Client, ann: User, ben: User) -> None:
        def queries() -> list[int]:
            costs = []
            for path in (MATCHES, f"{MATCHES}?player=Ann", of(ann)):
                with CaptureQueriesContext(connection) as captured:
                    page(client, path)
                costs.append(len(captured))
            return costs

        create_finished_match([ann, ben])
        for_one = queries()
        for _ in range(9):
            create_finished_match([ann, ben])
        assert queries() == for_one
        assert max(for_one) < 18

    def test_the_cached_form_depends_on_its_values(self, client: Client) -> None:
        assert 'value="Ann"' in page(client, player="Ann")
        assert 'value="Ann"' not in page(client)
        assert "There is no such game" in page(client, status=400, game="chess")
        assert "There is no such game" not in page(client)

    def test_rare_filters_are_folded_away_until_they_are_set(self, client: Client) -> None:
        text = page(client)
        visible, folded = text.split('<details class="unfold">')
        assert all(f'name="{name}"' in visible for name in ("player", "game"))
        assert all(f'name="{name}"' in folded for name in ("result", "from", "to", "bots"))
        for query in ("?bots=on", "?from=2026-01-01"):
            assert '<details class="unfold" open>' in page(client, MATCHES + query)
        assert '<details class="unfold" open>' in page(client, status=400, result="draw")

    def test_link_to_older_matches_keeps_the_filters(self, client: Client, ann: User, monkeypatch: Any) -> None:
        monkeypatch.setattr(history_queries, "PAGE_SIZE", 2)
        matches = [create_finished_match([ann], bots=1) for _ in range(3)]
        query = {"player": "Ann", "game": "kozel", "result": "won", "from": "2026-01-01", "to": "2026-12-31"}
        response = client.get(MATCHES, query | {"foreign": "x"})
        further = dict(parse_qsl(response.context["next_page"].removeprefix("?")))
        assert further.pop("after")
        assert further == query
        text = page(client, MATCHES + response.context["next_page"])
        assert [match.slug in text for match in matches] == [True, False, False]
        assert 'value="Ann"' in text
        assert 'value="2026-01-01"' in text

    def test_unlisted_and_void_matches_are_hidden(self, client: Client, ann: User, ben: User) -> None:
        hidden, void = create_finished_match([ann, ben], visibility="link"), create_finished_match([ann, ben])
        reversals.make_void(void)
        for path in (MATCHES, f"{MATCHES}?player=Ann"):
            assert hidden.slug not in page(client, path)
            assert void.slug not in page(client, path)
        client.force_login(ann)
        text = page(client)
        assert hidden.slug in text
        assert void.slug in text


BAD = [
    {"game": "chess"},
    {"game": "x" * 10_000},
    {"player": "x" * 61},  # longer than any name
    {"player": "x" * 10_000},
    {"player": "\u0301"},
    {"result": "drawn"},
    {"result": "won"},
    {"from": "yesterday"},
    {"from": "2026-02-30"},
    {"to": "1" * 10_000},
    {"from": "2026-05-02", "to": "2026-05-01"},
    {"after": "x"},
    {"after": "9" * 10_000},
    {"after": "9999999999999999999-1"},
]


class TestBadInput:
    @pytest.mark.parametrize("query", BAD, ids=lambda query: "&".join(f"{k}={v[:12]!r}" for k, v in query.items()))
    def test_impossible_filters_get_a_clear_page(self, client: Client, ann: User, query: dict[str, str]) -> None:
        text = page(client, status=400, **query)
        assert 'class="errorlist"' in text
        assert "This search did not work." in text

    @pytest.mark.parametrize("query", [query for query in BAD if "player" not in query and query != {"result": "won"}])
    def test_impossible_filters_do_not_break_personal_pages(
        self, client: Client, ann: User, query: dict[str, str]
    ) -> None:
        create_finished_match([ann], bots=1)
        assert "This search did not work." in page(client, of(ann), status=400, **query)

    def test_cursor_of_a_deleted_match_still_works(self, client: Client, ann: User) -> None:
        create_finished_match([ann], bots=1)
        assert "No match" in page(client, after="0-0")
        assert "match-line" in page(client, after="9999999999999999-999999999999999999")

    def test_a_name_may_have_twenty_letters_with_accents_in_any_form(self) -> None:
        assert HistoryForm({"player": unicodedata.normalize("NFD", "é" * 20)}).is_valid()

    def test_only_safe_methods_are_allowed(self, client: Client) -> None:
        assert client.post(MATCHES).status_code == 405


class TestPeople:
    def test_personal_page_has_results_by_game_and_gains(self, client: Client, ann: User, ben: User) -> None:
        won = create_finished_match([ann, ben], rated=True)
        won.seats.filter(user=ann).update(points_gain=12)
        create_finished_match([ann, ben], variant="all_fives", places=(2, 1))
        response = client.get(of(ann))
        assert {game["key"]: tuple(game["tally"]) for game in response.context["games"]} == {
            "all_fives": (1, 0, 1, 0, 0, 0),
            "kozel": (1, 1, 0, 0, 0, 0),
        }
        text = response.content.decode()
        assert re.findall(r"outcome-(\w+)", text) == ["lost", "won"]
        assert "+12" in text

    def test_results_on_a_personal_page_need_no_name_filter(self, client: Client, ann: User, ben: User) -> None:
        won, lost = create_finished_match([ann, ben]), create_finished_match([ann, ben], places=(2, 1))
        text = page(client, of(ann), result="won")
        assert won.slug in text
        assert lost.slug not in text

    def test_person_from_unlisted_tables_has_a_page_only_for_fellow_players(
        self, client: Client, ann: User, ben: User
    ) -> None:
        create_finished_match([ann, ben], visibility="link")
        page(client, of(ann), status=404)
        client.force_login(person("Cat"))
        page(client, of(ben), status=404)
        client.force_login(ann)
        page(client, of(ben))
        assert "This is your page" in page(client, of(ann))

    def test_new_persons_own_page_is_empty(self, client: Client, ann: User) -> None:
        client.force_login(ann)
        assert "No match has been finished yet." in page(client, of(ann))
        assert f'href="{of(ann)}"' in page(client)

    def test_blocked_persons_page_is_marked_only_for_the_blocker(self, client: Client, ann: User, ben: User) -> None:
        blocks.block(blocker=ann, blocked=ben)
        page(client, of(ben), status=404)
        client.force_login(ann)
        assert "This person is blocked" in page(client, of(ben))
        create_finished_match([ann, ben])
        client.force_login(ben)
        assert "This person is blocked" not in page(client, of(ann))

    def test_undisclosed_rating_points_are_private(self, ann: User, ben: User) -> None:
        for gain, at in ((5, START_OF_FIRST_MATCH), (12, timezone.now())):
            match = create_finished_match([ann, ben], rated=True, delay="30", at=at)
            match.seats.filter(user=ann).update(points_gain=gain)
        rating = RatingPoints.objects.create(user=ann, variant="kozel", points=17, matches=2)
        assert visible_points(ann, ann) == {"kozel": 17}
        assert visible_points(ann, ben) == visible_points(ann, AnonymousUser()) == {"kozel": 5}
        Match.objects.filter(finished_at=START_OF_FIRST_MATCH).delete()
        RatingPoints.objects.filter(pk=rating.pk).update(points=12, matches=1)
        assert visible_points(ann, ben) == {}

    def test_page_needs_few_queries_for_any_viewer(
        self, client: Client, ann: User, ben: User, django_assert_max_num_queries: Any
    ) -> None:
        RatingPoints.objects.create(user=ann, variant="kozel", points=5, matches=1)
        create_finished_match([ann, ben], rated=True)
        # tallies, person, points, ratings, met, rounds, choices, charts (5), page
        with django_assert_max_num_queries(17):
            page(client, of(ann))
        for viewer, number in ((ben, 21), (ann, 20)):  # blocks (2), twice; oneself is at hand
            client.force_login(viewer)
            page(client)  # renews the session, once a day
            with django_assert_max_num_queries(number + 3):  # the session, its user, a running match
                page(client, of(ann))

    @pytest.mark.parametrize("number", ["0", "999999", "9" * 30, "9" * 5000])
    def test_unknown_person_is_404(self, client: Client, number: str) -> None:
        page(client, f"/people/{number}/", status=404)

    def test_page_of_a_person_without_public_matches_explains_itself(self, client: Client, ann: User) -> None:
        assert "This player does not exist, or has not played a public match." in page(client, of(ann), status=404)

    def test_a_bot_in_the_match_is_not_taken_for_the_person(self, ann: User) -> None:
        match = create_finished_match([ann], bots=1)
        assert finished_matches([match.pk])[0].own is None
        assert finished_matches([match.pk], ann.pk)[0].own.name == "Ann"
