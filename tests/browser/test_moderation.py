"""From a chat line to the end of an appeal, with four people of separate roles."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.people import press
from tests.browser.visitor import PHONE, Visitor, Window
from tests.server import Server

PREPARE_TABLE = """
from django.contrib.auth.models import Group
from games.chat import posting
from tests.browser import stages
from tests.games import tables

def staff(name, role):
    user = tables.person(name, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return stages.log_in(user)

ann, ben = tables.person("Ann"), tables.person("Ben")
match = tables.running_table([ann, ben], clock="none")
posting.post_message(match=match, user=ben, text="You cow")
judges = [staff("Tom", "Trainees"), staff("Mia", "Match moderators"), staff("Kai", "Match moderators")]
answer = [match.slug, stages.log_in(ann), stages.log_in(ben), *judges]
"""
LOG = """
from accounts.sanctions import moderation_log
answer = list(moderation_log.logged_acts().order_by("pk").values_list("act", "moderator__name"))
"""
REASON = "You insulted or threatened somebody."
CASES = "/admin/games/case/"


def decide(visitor: Visitor, button: str) -> None:
    visitor.visit(CASES)
    press(visitor, "Next case")
    expect(visitor.page.locator(".reported")).to_contain_text("You cow")
    if not visitor.page.get_by_label("Mute: they can play").is_checked():
        visitor.page.get_by_label("Mute: they can play").check()
        visitor.page.get_by_label("Hide the reported lines").check()
        visitor.page.get_by_label(REASON).check()
    press(visitor, button)
    expect(visitor.page.locator(".messagelist")).to_contain_text("Ben: chat")


def test_chat_line_is_reported_decided_by_two_appealed_and_decided_by_a_third(
    site: Server, new_visitor: NewVisitor
) -> None:
    slug, *sessions = site.run_code(PREPARE_TABLE)
    visitors = [new_visitor(width=width) for width in (1280, 360, 1280, 1280, 360)]
    for visitor, session in zip(visitors, sessions, strict=True):
        visitor.enter(session)
    ann, ben, tom, mia, kai = visitors

    ann.visit(f"/match/{slug}/")
    with ann.page.expect_popup() as opened:
        ann.page.locator("#messages .report").click()
    opened.value.get_by_role("button", name="Insults or threatens").click()
    expect(opened.value.get_by_role("heading", name="Thank you")).to_be_visible()

    decide(tom, "Propose and open the next case")
    decide(mia, "Decide and open the next case")

    ben.visit("/")
    notice = ben.page.locator(".notice-pending", has_text="You are muted until")
    expect(notice).to_contain_text(f"Reason: {REASON}")
    notice.get_by_role("link").click()
    ben.page.get_by_label("Why is this wrong?").fill("It was my brother.")
    press(ben, "Appeal")
    expect(ben.page.get_by_text("Another moderator will review your appeal.")).to_be_visible()

    kai.visit("/admin/accounts/appeal/")
    kai.page.get_by_role("link", name="It was my brother.").click()
    expect(kai.page.locator(".reported")).to_contain_text("You cow")
    kai.page.get_by_label("Grant").check()
    kai.page.get_by_role("textbox", name="Reason").fill("It was not him.")
    press(kai, "Decide")
    expect(kai.page.locator(".messagelist")).to_be_visible()

    ben.visit("/")
    expect(ben.page.get_by_text("and the sanction is lifted. Reason: It was not him.")).to_be_visible()
    ann.visit("/")
    expect(ann.page.get_by_text("A moderator agreed with it and has acted.")).to_be_visible()
    steps = [("propose", "Tom"), ("uphold", "Mia"), ("hide", "Mia"), ("mute", "Mia"), ("lift", "Kai")]
    assert site.run_code(LOG) == [list(step) for step in steps]


LAY_LONG = """
from games.moderation.cases.reporting import ReportedPlace, report_person
from games.services import play
from tests.browser import stages
from tests.games import tables
from tests.games.reviewed import play_random_moves

match = play_random_moves("kozel", 40)
people = [seat.user for seat in match.seats.order_by("index")]
play.stop_match(match_id=match.pk, reason="agreed")
case = report_person(reporter=people[0], suspect=people[1], reason="throws", place=ReportedPlace(match, 20)).case
judge = tables.person("Ida", is_staff=True, is_superuser=True)
answer = [case.pk, stages.log_in(judge)]
"""
WINDOWS = (PHONE, Window("tablet-dark", 820, 1180, "dark", colours_only=True))


def test_timeline_move_is_shown_on_the_board_next_to_it(site: Server, new_visitor: NewVisitor) -> None:
    case, session = site.run_code(LAY_LONG)
    for javascript in (True, False):
        judge = new_visitor(width=1280, javascript=javascript)
        judge.enter(session)
        judge.visit(f"{CASES}{case}/change/")
        board = judge.page.frame_locator(".case-board")
        expect(board.locator(".review-at")).to_contain_text("20 /")
        expect(judge.page.locator(".case-timeline .reported")).to_have_count(1)
        judge.page.get_by_role("textbox", name="Or in your own words").fill("He gave it away")
        judge.page.locator(".case-timeline .reported + li a").click()
        expect(board.locator(".review-at")).to_contain_text("21 /")
        if not javascript:
            continue
        judge.page.get_by_role("link", name="Show all").click()
        expect(judge.page.locator(".case-folded")).to_have_count(0)
        expect(judge.page.get_by_role("textbox", name="Or in your own words")).to_have_value("He gave it away")
        # For a style sheet with imports axe creates style elements, which the policy forbids.
        with judge.expecting_errors("style"):
            assert judge.page_problems(WINDOWS) == []
