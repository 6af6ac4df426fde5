"""What moderators decided stands where the match is shown: at its table, in its review and in lists."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Match
from games.moderation import acts
from games.services import play
from tests.games import tables
from tests.games.finished import create_finished_match
from tests.games.socket_browser import connect_and_read_frame, in_thread

pytestmark = pytest.mark.usefixtures("moderator")
VOID = "A moderator declared the match void."


@pytest.fixture
def void(ann: User, ben: User, moderator: User) -> Match:
    """Return a rated match that Ben had won, and that a moderator declared void."""
    match = tables.running_table([ann, ben], rated=True)
    tables.play_round(match)
    play.leave_match(match_id=match.pk, user_id=ann.pk)
    assert "Rating points" in tables.browser_of(ben).get(f"/match/{match.slug}/").text
    acts.void_match(moderator=moderator, match=match, reason="a <ring>")
    return match


def test_the_table_of_a_void_match_says_so_and_why_and_shows_no_gain(void: Match, ann: User, ben: User) -> None:
    for person in (ann, ben):
        page = tables.browser_of(person).get(f"/match/{void.slug}/").text
        assert "Match void" in page
        assert f"{VOID} Reason: a &lt;ring&gt;" in page
        for past in ("You won", "You left", "Ann left", "Rating points", 'id="about-rating', 'class="mark mark-won'):
            assert past not in page.partition('id="result"')[2].partition("</section>")[0]


def test_review_marks_the_void_match_at_every_step(void: Match, ben: User) -> None:
    for at in ("1", "5"):
        assert (
            f"{VOID} Reason: a &lt;ring&gt;" in tables.browser_of(ben).get(f"/match/{void.slug}/review/?at={at}").text
        )


def test_lists_mark_the_void_match(void: Match, ben: User) -> None:
    reason = "Declared void by a moderator: a &lt;ring&gt;"
    assert reason in tables.browser_of(ben).get("/matches/").text
    assert reason not in Client().get("/matches/").text


def test_player_out_of_time_has_not_left(ann: User, ben: User) -> None:
    create_finished_match([ann, ben], reason="timeout", leaver=0)
    page = tables.browser_of(ann).get(reverse("person", args=[ann.pk])).text
    assert '<b class="outcome outcome-timeout">ran out of time</b>' in page
    assert ">left</b>" not in page
    theirs = tables.browser_of(ben).get(reverse("person", args=[ben.pk])).text
    assert '<span class="small soft">ran out of time</span>' in theirs


def test_a_person_removed_from_a_match_is_told_why_and_leaves_no_more(
    ann: User,
    ben: User,
    moderator: User,
) -> None:
    match = tables.running_table([ann, ben])
    assert 'id="leave"' in tables.browser_of(ann).get(f"/match/{match.slug}/").text
    acts.remove_from_seat(moderator=moderator, seat=match.seats.get(user=ann), reason="stalling <again>")
    page = tables.browser_of(ann).get(f"/match/{match.slug}/").text
    assert "A moderator removed you from a Kozel table. Reason: stalling &lt;again&gt;" in page
    assert 'id="leave"' not in page
    theirs = tables.browser_of(ben).get(f"/match/{match.slug}/").text
    assert "A moderator removed the player from this match. A bot plays on in the seat." in theirs
    assert 'popovertarget="about-removed"' in theirs
    assert "stalling" not in theirs


def test_a_person_removed_from_a_rated_match_did_not_leave_it(
    ann: User,
    ben: User,
    moderator: User,
) -> None:
    match = tables.running_table([ann, ben], rated=True)
    tables.play_round(match)
    acts.remove_from_seat(moderator=moderator, seat=match.seats.get(user=ann), reason="stalling")
    assert "A moderator removed you from the match" in tables.browser_of(ann).get(f"/match/{match.slug}/").text
    theirs = tables.browser_of(ben).get(f"/match/{match.slug}/").text
    assert "A moderator removed Ann from the match." in theirs
    assert "Ann left" not in theirs


@pytest.mark.django_db(transaction=True)
async def test_the_open_page_of_a_removed_person_learns_at_once_that_the_seat_is_gone() -> None:
    ann, ben = await in_thread(tables.person)("Ann"), await in_thread(tables.person)("Ben")
    root = await in_thread(User.objects.create)(username="root", is_staff=True, is_superuser=True)
    match = await in_thread(tables.running_table)([ann, ben])
    browser = await connect_and_read_frame(match, ann)
    seat = await in_thread(match.seats.get)(user=ann)
    await in_thread(acts.remove_from_seat)(moderator=root, seat=seat, reason="stalling")
    frame = await browser.next_frame()
    assert 'id="hand"' in frame
    assert "data-viewer" not in frame, "js/viewer.js reloads the page, which brings the notice"
