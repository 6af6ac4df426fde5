"""The page of a case: the timeline of its matches with the board beside it, and what they did to ratings."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Sanction, Trace, User
from games.match_reports import reports
from games.match_reports.report import Choice, Report
from games.models import Absence, Case, Match, Message, RatingChange, Seat
from games.moderation import acts
from games.moderation.cases.reporting import ReportedPlace, report_person
from games.services import play
from tests.games import reviewed, tables
from tests.games.finished import create_finished_match
from tests.games.reviewed import play_random_moves
from tests.games.tables import browser_of, person

NOON = datetime(2026, 3, 12, 12, tzinfo=UTC)


def write_line(match: Match, user: User, text: str, room: str = "table") -> Message:
    return Message.objects.create(match=match, user=user, name=user.name, text=text, room=room)


def report_to_case(suspect: User, place: ReportedPlace, reporter: User | None = None, reason: str = "insults") -> Case:
    return report_person(reporter=reporter or person("Rita"), suspect=suspect, reason=reason, place=place).case


def page_of(case: Case, moderator: User, query: str = "") -> str:
    client = browser_of(moderator)
    answer = client.get(reverse("admin:games_case_change", args=[case.pk]) + query)
    assert answer.status_code == 200
    return answer.text


def entries_of(page: str) -> list[tuple[str, str]]:
    """Return the kind and the words of each entry of the timelines."""
    rows = re.findall(r'<li class="case-(\w+)[^"]*">(.*?)</li>', page, re.DOTALL)
    return [(kind, " ".join(re.sub(r"<[^>]+>", " ", text).split())) for kind, text in rows]


def move(match: Match) -> None:
    tables.make_first_move(match)
    match.refresh_from_db()


class TestTheTimeline:
    @pytest.mark.stack
    def test_moves_clocks_chat_and_connections_stand_in_the_order_of_time(self, ann: User, moderator: User) -> None:
        ben = person("Ben")
        with time_machine.travel(NOON, tick=False) as clock:
            match = tables.running_table([ann, ben], clock="fast")
            mover = tables.player_to_move(match)
            clock.shift(12.5)
            move(match)
            clock.shift(1)
            line = write_line(match, ben, "You cow")
            other = tables.player_to_move(match)
            clock.shift(24)  # 25 s in all: 15 are free, 10 come from the minute in the bank
            move(match)
            clock.shift(5)
            now = timezone.now()
            clock.shift(35)
            Absence.objects.create(match=match, user=mover, at=timezone.now(), reason="gone", left_at=now)
        entries = entries_of(page_of(report_to_case(ben, ReportedPlace(match, None, line)), moderator))
        assert [kind for kind, _text in entries] == ["step", "step", "line", "step", "connection", "connection"]
        assert entries[0][1] == "12:00:00 The tiles are dealt"
        assert re.fullmatch(rf"12:00:12 {mover.name} .+ 12\.5 s · 1:00 left", entries[1][1])
        assert entries[2][1] == "12:00:13 Ben You cow"
        assert re.fullmatch(rf"12:00:37 {other.name} .+ 25\.0 s · 50\.0 s left", entries[3][1])
        assert entries[4][1] == f"12:00:42 {mover.name} closed the last page"
        assert entries[5][1] == f"12:01:17 {mover.name} counted as absent: no page open for 30 seconds of a turn"

    def test_each_entry_shows_its_step_on_the_board_beside_it(self, ann: User, moderator: User) -> None:
        ben = person("Ben")
        match = tables.running_table([ann, ben])
        move(match)
        page = page_of(report_to_case(ben, ReportedPlace(match, None, write_line(match, ben, "You cow"))), moderator)
        embed, board = reverse("match-embed", args=[match.slug]), f"board-{match.slug}"
        assert f'name="{board}" src="{embed}?at=2"' in page, "the board opens at the step of the line"
        assert re.findall(rf'href="{embed}\?at=(\d+)" target="{board}"', page) == ["1", "2", "2"]

    def test_timeline_opens_at_the_reported_step(self, moderator: User) -> None:
        match = play_random_moves("kozel", 24)
        case = report_to_case(match.host, ReportedPlace(match, 12), reason="throws")
        page = page_of(case, moderator)
        steps = [kind for kind, _text in entries_of(page)]
        assert steps == ["folded", *["step"] * 13, "folded"], "six before the step, and six after it"
        assert entries_of(page)[0][1] == "5 more"
        assert f'src="{reverse("match-embed", args=[match.slug])}?at=12"' in page
        whole = entries_of(page_of(case, moderator, f"?all={match.slug}"))
        assert len(whole) >= 25
        assert "folded" not in {kind for kind, _text in whole}

    def test_three_newest_matches_are_expanded(self, ann: User, moderator: User) -> None:
        ben = person("Ben")
        for _ in range(4):
            match = tables.running_table([ann, ben])
            case = report_to_case(ben, ReportedPlace(match, None, write_line(match, ben, "You cow")))
            play.stop_match(match_id=match.pk)
        page = page_of(case, moderator)
        assert (page.count('class="module case-match"'), page.count("<iframe")) == (4, 3)

    def test_playing_moderator_sees_no_spectator_lines_or_disconnects(self, moderator: User) -> None:
        ben, eve = person("Ben"), person("Eve")
        match = tables.running_table([moderator, ben])
        line = write_line(match, eve, "He holds the double", "spectators")
        Absence.objects.create(match=match, user=ben, at=timezone.now(), reason="gone", left_at=timezone.now())
        case = report_to_case(eve, ReportedPlace(match, None, line))
        page = page_of(case, moderator)
        assert "He holds the double" not in page
        assert "connection" not in {kind for kind, _text in entries_of(page)}
        play.stop_match(match_id=match.pk)
        assert "He holds the double" in page_of(case, moderator)

    def test_of_a_match_with_a_delay_it_has_what_spectators_see_without_clocks(
        self, ann: User, moderator: User
    ) -> None:
        ben = person("Ben")
        with time_machine.travel(NOON, tick=False) as clock:
            match = tables.running_table([ann, ben], delay="120", clock="normal")
            move(match)
            clock.shift(60)
            move(match)
            clock.shift(70)
            case = report_to_case(ben, ReportedPlace(match), reason="stalls")
            early = entries_of(page_of(case, moderator))
            clock.shift(60)
            late = entries_of(page_of(case, moderator))
        assert [len(early), len(late)] == [2, 3]
        assert not re.search(r"\d left|\d s", " ".join(text for _kind, text in late))

    def test_of_a_match_with_a_delay_it_has_the_chat_that_spectators_see_and_reported_lines(
        self, ann: User, moderator: User
    ) -> None:
        ben = person("Ben")
        with time_machine.travel(NOON, tick=False) as clock:
            match = tables.running_table([ann, ben], delay="120")
            for text in ("Old", "Late", "Reported"):
                line = write_line(match, ben, text)
                clock.shift(50)
            case = report_to_case(ben, ReportedPlace(match, None, line))
            early = entries_of(page_of(case, moderator))
            clock.shift(65)
            late = entries_of(page_of(case, moderator))
        chats = [[text.split()[-1] for kind, text in entries if kind == "line"] for entries in (early, late)]
        assert chats == [["Old", "Reported"], ["Old", "Late", "Reported"]]

    def test_staff_can_see_a_void_match(self, ann: User, moderator: User) -> None:
        match = tables.running_table([ann, person("Ben")])
        move(match)
        acts.void_match(moderator=moderator, match=match, reason="farming")
        client, embed = Client(), reverse("match-embed", args=[match.slug])
        assert client.get(embed).status_code == 404
        client.force_login(moderator)
        assert client.get(embed).status_code == 200


def test_equal_reports_are_merged(ann: User, moderator: User) -> None:
    ben = person("Ben")
    match = tables.running_table([ann, ben])
    line = write_line(match, ben, "You cow")
    for name in ("Rita", "Rolf"):
        place = ReportedPlace(match, None, line)
        case = report_person(
            reporter=person(name), suspect=ben, reason="insults", place=place, words=f"So {name}"
        ).case
    report_to_case(ben, ReportedPlace(match, None, line), person("Rosa"), "spams")
    page = page_of(case, moderator)
    assert [page.count('class="case-report"'), page.count('class="case-quote"')] == [2, 2]
    assert [words in page for words in ("So Rita", "So Rolf", "Rosa")] == [True] * 3


class TestEffects:
    def test_effects_have_rating_changes_of_each_match_and_all(self, ann: User, moderator: User) -> None:
        ben = person("Ben")
        first, second = create_finished_match([ann, ben], rated=True), create_finished_match([ann, ben], rated=True)
        for match, mu_before, mu in ((first, 25.0, 26.0), (second, 26.0, 26.5)):
            RatingChange.objects.create(
                match=match, user=ann, variant="kozel", at=NOON, seat=0, side=0, place=1, mu_before=mu_before, mu=mu
            )
            Seat.objects.filter(match=match, index=0).update(points_gain=2)
        case = report_to_case(ann, ReportedPlace(first), reason="throws")
        report_to_case(ann, ReportedPlace(second), reason="throws")
        page = " ".join(re.sub(r"<[^>]+>", " ", page_of(case, moderator)).split())
        # 48 points to one of mu: 1500 at 25, 1548 at 26, 1572 at 26.5.
        assert "Ann won 1500 → 1548 (+48) +2" in page
        assert "Ann won 1548 → 1572 (+24) +2" in page
        assert "Ann in 2 matches of this case: rating +72 · rating points +4" in page

    def test_effects_hide_undisclosed_matches(self, ann: User, moderator: User) -> None:
        match = create_finished_match([ann, person("Ben")], rated=True, delay="120")
        Match.objects.filter(pk=match.pk).update(public_at=timezone.now() + timedelta(minutes=1))
        case = report_to_case(ann, ReportedPlace(match), reason="throws")
        assert "case-effects" not in page_of(case, moderator)
        Match.objects.filter(pk=match.pk).update(public_at=timezone.now())
        assert "case-effects" in page_of(case, moderator)


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


class TestFigures:
    def test_fair_play_case_has_what_each_choice_cost_and_the_usual_figures(self, moderator: User) -> None:
        match = reviewed.store_report(reviewed.stop_match(play_random_moves("kozel", 24)))
        report, suspect = reports.report_of(match), match.host
        assert report is not None
        own = report.player_report(match.seats.get(user=suspect).index)
        other = create_finished_match([suspect, person("Ben")])
        losses = [Choice(2, 0, 0.0, "0-0", "0-0"), Choice(4, 0, 3.0, "0-0", "0-1")]
        reports.store_report(other.pk, Report((*losses,), (), ()).to_data(), 1.0)
        case = report_to_case(suspect, ReportedPlace(match), reason="assisted")
        page = page_of(case, moderator, f"?all={match.slug}")
        costs = [text for kind, text in entries_of(page) if "cost " in text or "best move" in text]
        assert len(costs) == len({choice.seq for choice in report.choices})
        figures = f"{own.choices} {round(100 * own.best_share)}% {own.average_loss:.2f}"
        assert f"In this match {figures}" in text_of(page)
        assert "In 1 other match of this game 2 50% 1.50" in text_of(page)

    def test_other_cases_and_undisclosed_matches_have_no_figures(self, moderator: User) -> None:
        match = reviewed.store_report(reviewed.stop_match(play_random_moves("kozel", 24)))
        Match.objects.filter(pk=match.pk).update(delay="120", public_at=timezone.now() + timedelta(minutes=1))
        for reason, moment in (("assisted", "delayed"), ("stalls", "public")):
            if moment == "public":
                Match.objects.filter(pk=match.pk).update(public_at=timezone.now())
            page = page_of(report_to_case(match.host, ReportedPlace(match), reason=reason), moderator)
            assert "In this match" not in text_of(page)
            assert "cost " not in " ".join(text for _kind, text in entries_of(page))


class TestSuspect:
    def test_page_has_age_matches_and_confirmed_address(self, ann: User, moderator: User) -> None:
        create_finished_match([ann, person("Ben")])
        case = report_to_case(ann, ReportedPlace())
        assert "account of today · 1 finished match · no confirmed email address ·" in text_of(
            page_of(case, moderator)
        )
        EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True)
        page = page_of(case, moderator)
        assert "1 finished match · confirmed email address ·" in text_of(page)
        assert "ann@example.org" not in page
        guest = report_to_case(person("Gast", is_guest=True), ReportedPlace())
        assert "guest of today · 0 finished matches · 0 conduct points" in text_of(page_of(guest, moderator))

    def test_accounts_at_the_same_address_are_named_with_their_sanctions(self, ann: User, moderator: User) -> None:
        neighbours = [person("Cleo"), person("Dora"), person("Gast", is_guest=True)]
        for user in (ann, *neighbours):
            Trace.objects.create(user=user, kind="address", mark="home", seen_at=timezone.now())
        Sanction.objects.create(user=neighbours[0], kind="suspend", reason="insults")
        case = report_to_case(ann, ReportedPlace())
        text = text_of(page_of(case, moderator))
        assert "Same network address as 2 accounts, 1 guest Cleo · suspended Dora" in text
        chat = person("Chris", is_staff=True)
        chat.groups.add(Group.objects.get(name="Chat moderators"))
        text = text_of(page_of(case, chat))
        assert "Same network address as 2 accounts, 1 guest" in text
        assert "Cleo" not in text

    def test_crowded_traces_name_nobody(self, ann: User, moderator: User) -> None:
        for user in (ann, *(person(f"Pupil {number}") for number in range(11))):
            Trace.objects.create(user=user, kind="address", mark="school", seen_at=timezone.now())
        assert "Pupil" not in page_of(report_to_case(ann, ReportedPlace()), moderator)

    def test_page_of_a_person_lists_the_reports_made(self, ann: User, moderator: User) -> None:
        rita = person("Rita")
        case = report_to_case(ann, ReportedPlace(), rita)
        hidden = report_to_case(moderator, ReportedPlace(), rita)
        client = browser_of(moderator)
        page = client.get(reverse("admin:accounts_user_change", args=[rita.pk])).text
        cases = [reverse("admin:games_case_change", args=[row.pk]) in page for row in (case, hidden)]
        assert cases == [True, False], "not those about the moderator"


def test_more_reports_and_marks_take_no_more_queries(ann: User, moderator: User) -> None:
    ben, match = person("Ben"), tables.running_table([ann, person("Cleo")])
    case = report_to_case(ann, ReportedPlace(match, None, write_line(match, ann, "You cow")), ben)
    page_of(case, moderator)
    counts = []
    for reporter in (person("Dora"), person("Emil")):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page_of(case, moderator)
        counts.append(len(queries))
        ledgers = [query["sql"] for query in queries if "conductmark" in query["sql"] and "SELECT" in query["sql"]]
        assert len(ledgers) == 1
        report_to_case(ann, ReportedPlace(match, None, write_line(match, ann, "Cow, cow")), reporter)
    assert counts[0] == counts[1]


def test_notes_are_visible_only_to_moderators(ann: User, moderator: User) -> None:
    match = tables.running_table([ann, person("Ben")])
    first, note = (
        report_to_case(ann, ReportedPlace(match, None, None)),
        "Second time this week: she says her brother plays.",
    )
    client = browser_of(moderator)
    decision = {"measure": "warn", "length": "day", "reason": "You insulted somebody.", "note": note}
    assert client.post(reverse("admin:games_case_change", args=[first.pk]), decision).status_code == 302
    later = report_to_case(ann, ReportedPlace(match, None, None), person("Rolf"))
    assert later.pk != first.pk
    assert note in page_of(later, moderator)
    assert note in page_of(first, moderator)
    client.force_login(ann)
    for address in ("/", reverse("sanctions"), reverse("data-export")):
        assert note not in client.get(address).text
