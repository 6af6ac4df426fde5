"""The lobby as a visitor meets it, without JavaScript, and its lists as the socket sends them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts.models import User
from games.engine.variants import rules_for
from games.errors import Refused
from games.lobby import open_tables
from games.lobby import tables as lobby_tables
from games.lobby.rendering import lists_zones, table_lines
from games.match.listed import TableLists
from games.models import Match, Seat
from games.presence.online import count_online
from games.services import demo, rematch, seating
from tests.games.lobby.test_tables import running, table
from tests.games.tables import browser_of, person


def frame(language: str) -> str:
    return lists_zones(open_tables.load_lists(), count_online(timezone.now()), language).full_update


@pytest.fixture
def ann(client: Client, ann: User) -> User:
    """The person who uses ``client``."""
    client.force_login(ann)
    return ann


def page(client: Client) -> str:
    response = client.get(reverse("lobby"))
    assert response.status_code == 200
    return response.content.decode()


def flash_messages(response: Any) -> list[str]:
    """Return what the next page tells."""
    return [str(message) for message in response.context["messages"]]


class TestThePage:
    def test_visitor_sees_open_and_running_tables(self, client: Client, ben: User) -> None:
        opened, started = table(ben), running(person("Cleo"))
        text = page(client)
        assert f'formaction="{reverse("match-sit", args=[opened.slug])}"' in text
        assert f'href="{reverse("match", args=[started.slug])}"' in text
        assert "Ben" in text
        assert "Cleo" in text

    def test_matches_of_bots_alone_are_folded_away_from_those_of_people(self, client: Client, ben: User) -> None:
        played = running(ben)
        demo.ensure_bot_match(rules_for("kozel"))
        match = Match.objects.exclude(pk=played.pk).get()
        running_list, exhibitions = page(client).split('id="running-tables"')[1].split('id="exhibitions"')
        assert (played.slug in running_list, match.slug in running_list) == (True, False)
        assert (played.slug in exhibitions, match.slug in exhibitions) == (False, True)
        assert "Watch bots play (1 match)" in exhibitions
        assert "<details" in exhibitions.split("Watch bots play")[0]
        assert match.slug in frame("en").split('<section id="exhibitions"')[1]

    def test_page_has_the_numbers_of_people_and_tables(self, client: Client, ann: User, ben: User) -> None:
        assert "Nobody else is here" in page(client)
        table(ben)
        there = page(client).split('id="here"')[1].split("</p>")[0]
        assert "2 people here" in there  # Ann asks for the page, Ben sits
        assert "1 table open" in there

    def test_unlisted_table_is_listed_only_for_its_players(self, client: Client, ann: User, ben: User) -> None:
        hidden, own = table(ben, visibility="link"), table(ann, visibility="link")
        text = page(client)
        assert hidden.slug not in text
        assert own.slug in text
        assert own.slug not in frame("en")

    def test_own_tables_are_listed_once(self, client: Client, ann: User, ben: User) -> None:
        waiting, running_match = table(ann), running(ann)
        table(ben)
        text = page(client)
        assert [text.count(f'<li id="table-{match.slug}') for match in (waiting, running_match)] == [1, 1]
        assert "1 table open" in text  # Ben's

    def test_finished_and_closed_tables_are_in_no_list(self, client: Client, ben: User) -> None:
        for status in ("finished", "stopped", "void"):
            Match.objects.filter(pk=table(ben).pk).update(status=status)
        assert open_tables.load_lists() == TableLists()

    def test_names_cannot_break_the_page(self, client: Client) -> None:
        table(person("<b>Bob</b>"))
        assert "<b>Bob</b>" not in page(client)
        assert "<b>Bob</b>" not in frame("en")

    def test_the_lists_cost_the_same_for_one_table_and_for_ten(
        self, django_assert_num_queries: Any, ben: User
    ) -> None:
        table(ben)
        with django_assert_num_queries(6):
            open_tables.load_lists()
        for number in range(9):
            running(person(f"P{number}"))
        with django_assert_num_queries(6):
            assert len(open_tables.load_lists().running) == 9

    def test_a_running_table_shows_the_round_and_the_score_of_each(self, ben: User) -> None:
        running(ben)
        (line,) = table_lines(open_tables.load_lists().running, "en")
        assert line.round == "Round 1"
        assert [seat.kind for seat, _score in line.seats] == ["human", "bot", "bot", "bot"]
        assert all("score" in score for _seat, score in line.seats)

    def test_table_lists_differences_from_the_defaults(self, client: Client, ben: User) -> None:
        table(ben)
        assert 'class="unfold changes"' not in page(client)
        table(person("Cleo"), options={"fish": "one"}, clock="fast", seats=2)
        changed, default = table_lines(open_tables.load_lists().open, "en")
        assert [str(term.name) for term in changed.unusual_terms] == [
            "When the line is closed (fish): The heaviest hand takes all",
            "Clock: Fast",
        ]
        assert all(str(term.text).endswith(".") for term in changed.unusual_terms)
        assert default.unusual_terms == ()
        assert "<summary>Fish: one takes all · 15\u00a0s + 60\u00a0s</summary>" in page(client)

    def test_additional_terms_are_listed_as_differences(self, client: Client, ann: User) -> None:
        table(ann, visibility="link", rated=True)
        text = page(client)
        assert "<summary>Rated · unlisted</summary>" in text
        assert "Visibility: Unlisted" in text
        assert "Stakes: Rated" in text

    def test_tables_with_a_free_seat_come_first(self, ben: User) -> None:
        free = table(ben)
        full = table(person("Cleo"), seats=2)
        lobby_tables.sit(match=full, user=person("Dan"))
        assert [line.slug for line in open_tables.load_lists().open] == [free.slug, full.slug]

    def test_the_frame_replaces_the_numbers_and_the_lists_and_nothing_else(self, ben: User) -> None:
        table(ben)
        html = frame("en")
        assert html.count("<hx-partial") == 4
        assert '<hx-partial id="open-tables"' in html
        assert 'id="open-tables"' in html
        assert '<hx-partial id="running-tables"' in html
        assert '<hx-partial id="here"' in html
        assert '<hx-partial id="exhibitions"' in html
        assert "csrf" not in html

    def test_the_frame_leaves_the_language_as_it_was(self) -> None:
        with translation.override("en"):
            frame("cs")
            assert translation.get_language() == "en"


class TestWithoutScript:
    def test_from_the_lobby_to_a_running_match_by_forms_alone(self, client: Client, ann: User, ben: User) -> None:
        response = client.post(reverse("table-new"), {"variant": "kozel", "preset": "duel"})
        match = Match.objects.get()
        assert response["Location"] == reverse("match", args=[match.slug])
        assert (match.seat_count, match.clock, match.host) == (2, "fast", ann)

        other = browser_of(ben)
        response = other.post(reverse("match-sit", args=[match.slug]), {"index": "1"})
        assert response["Location"] == reverse("match", args=[match.slug])

        client.post(reverse("match-start", args=[match.slug]))
        match.refresh_from_db()
        assert match.status == "running"

    def test_the_form_shows_every_option_and_opens_the_table(self, client: Client, ann: User) -> None:
        text = client.get(reverse("table-new"), {"game": "kozel"}).content.decode()
        for name in ("seats", "option_fish", "clock", "visibility", "stakes"):
            assert f'name="{name}"' in text
        client.post(reverse("table-new"), {"variant": "kozel", "stakes": "rated", "visibility": "link"})
        match = Match.objects.get()
        assert (match.rated, match.visibility, match.seat_count) == (True, "link", 4)

    def test_the_form_folds_rare_settings_away_and_unfolds_them_at_an_error(self, client: Client, ann: User) -> None:
        text = client.get(reverse("table-new"), {"game": "all_fives"}).content.decode()
        visible, folded = text.split('<details class="unfold">')
        assert all(f'name="{name}"' in visible for name in ("seats", "option_length", "clock", "visibility"))
        assert all(f'name="{name}"' in folded for name in ("option_partners", "delay", "absence", "talk", "stakes"))
        answers = {"variant": "all_fives", "seats": "3", "option_partners": "yes"}
        text = client.post(reverse("table-new"), answers).content.decode()
        assert '<details class="unfold" open>' in text

    def test_invalid_form_is_shown_again(self, client: Client, ann: User) -> None:
        response = client.post(reverse("table-new"), {"variant": "kozel", "seats": "9", "clock": "blitz"})
        assert response.status_code == 422
        assert set(response.context["form"].errors) == {"seats", "clock"}
        assert not Match.objects.exists()

    def test_an_unknown_game_is_not_found(self, client: Client, ann: User) -> None:
        assert client.post(reverse("table-new"), {"variant": "chess"}).status_code == 404
        assert client.get(reverse("table-new"), {"game": "chess"}).status_code == 404
        assert client.get(reverse("lobby"), {"game": "chess"}).status_code == 404

    def test_an_unknown_preset_falls_back_to_the_form(self, client: Client, ann: User) -> None:
        client.post(reverse("table-new"), {"variant": "kozel", "preset": "nonsense"})
        assert Match.objects.get().seat_count == 4

    def test_standing_up_after_the_start_is_refused_in_words(self, client: Client, ann: User) -> None:
        match = table(ann)
        client.post(reverse("match-fill", args=[match.slug]))
        response = client.post(reverse("match-stand", args=[match.slug]), follow=True)
        assert "This table is no longer open. The match has started or is over." in response.content.decode()

    def test_standing_up_leads_back_to_the_lobby(self, client: Client, ann: User) -> None:
        match = table(ann)
        assert client.post(reverse("match-stand", args=[match.slug]))["Location"] == reverse("lobby")
        match.refresh_from_db()
        assert match.status == "void"

    def test_refusal_to_join_is_shown_in_the_lobby(self, client: Client, ann: User) -> None:
        played, *opened = running(ann), table(ann), table(ann)
        for url, data in (("quick-play", {}), ("table-new", {"variant": "kozel", "preset": "usual"})):
            response = client.post(reverse(url), data, follow=True)
            assert response.redirect_chain[-1][0] == reverse("lobby")
            assert len(flash_messages(response)) == 1
            assert "already in 3 matches" in flash_messages(response)[0]
            assert f'href="{reverse("match", args=[played.slug])}#leave"' in response.content.decode()
            for page in opened:
                assert f'formaction="{reverse("match-stand", args=[page.slug])}"' in response.content.decode()

    def test_invalid_seat_number_is_refused(self, client: Client, ann: User, ben: User) -> None:
        match = table(ben)
        response = client.post(reverse("match-sit", args=[match.slug]), {"index": "x"}, follow=True)
        assert "The site did not understand that." in response.content.decode()

    def test_unknown_table_is_404(self, client: Client, ann: User) -> None:
        assert client.post(reverse("match-sit", args=["nowhere"])).status_code == 404

    def test_other_methods_are_not_allowed(self, client: Client, ann: User) -> None:
        assert client.put(reverse("quick-play")).status_code == 405
        assert client.delete(reverse("table-new")).status_code == 405
        assert client.post(reverse("lobby")).status_code == 405

    def test_a_post_without_the_token_is_refused(self, ben: User) -> None:
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(ben)
        assert strict.post(reverse("quick-play")).status_code == 403


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
class TestRaces:
    """In real threads on a real database the second request is refused."""

    def run(self, *calls: Any) -> list[str]:
        def outcome(call: Any) -> str:
            try:
                call()
            except Refused as refused:
                return refused.code
            finally:
                connection.close()
            return "done"

        with ThreadPoolExecutor(len(calls)) as pool:
            return sorted(pool.map(outcome, calls))

    def test_one_of_eight_concurrent_people_gets_a_seat(self, ben: User) -> None:
        match = table(ben)
        people = [person(f"P{number}") for number in range(8)]
        outcomes = self.run(*(lambda user=user: lobby_tables.sit(match=match, user=user, index=2) for user in people))
        assert outcomes == ["done"] + ["seat_taken"] * 7
        assert Seat.objects.filter(match=match, user__isnull=False).count() == 2

    def test_three_of_eight_concurrent_people_get_three_seats(self, ben: User) -> None:
        match = table(ben)
        people = [person(f"P{number}") for number in range(8)]
        outcomes = self.run(*(lambda user=user: lobby_tables.sit(match=match, user=user) for user in people))
        assert outcomes == ["done"] * 3 + ["table_full"] * 5

    def test_one_person_cannot_race_past_the_limit_of_tables(self, ben: User) -> None:
        tables = [table(person(f"P{number}")) for number in range(6)]
        outcomes = self.run(*(lambda match=match: lobby_tables.sit(match=match, user=ben) for match in tables))
        assert outcomes == ["done"] * 3 + ["too_many_tables"] * 3
        assert Seat.objects.filter(user=ben).count() == 3

    def test_a_match_is_started_once(self, ben: User) -> None:
        match = table(ben, seats=2)
        lobby_tables.sit(match=match, user=person("Cleo"))
        outcomes = self.run(*(lambda: lobby_tables.start_or_agree(match=match, by=ben) for _ in range(4)))
        assert outcomes == ["done"] + ["not_open"] * 3

    def test_two_people_ask_for_one_rematch(self, ben: User) -> None:
        cleo = person("Cleo")
        match = table(ben, seats=2)
        lobby_tables.sit(match=match, user=cleo)
        lobby_tables.start_or_agree(match=match, by=ben)
        Match.objects.filter(pk=match.pk).update(status="finished")
        calls = [lambda by=by: rematch.agree_to_rematch(match=match, by=by) for by in (ben, cleo, ben, cleo)]
        assert self.run(*calls) == ["done"] * 4
        match.refresh_from_db()
        assert Match.objects.count() == 2
        assert [seat.name for seat in seating.seats_of(match.rematch)] == ["Cleo", "Ben"]
        assert match.rematch.status == "running"
