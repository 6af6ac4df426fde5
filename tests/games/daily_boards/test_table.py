"""The table of a daily board after its end: the next board, and nothing to share before the close."""

from __future__ import annotations

import pytest
import time_machine
from django.test import Client

from games.models import Match
from games.services import board_days, play
from games.services.board_days import play_next_board
from tests.games.daily_boards.days import NOON, ONE_DAY, VARIANT, account, close, open_today, play_boards

pytestmark = [pytest.mark.django_db, pytest.mark.seed(1)]
NEXT_BOARD = f'formaction="/daily/{VARIANT}/boards/next/">Next board</button>'


@time_machine.travel(NOON, tick=False)
def test_result_leads_to_the_next_board_instead_of_a_rematch(client: Client) -> None:
    open_today()
    ann = account("Ann")
    (match,) = play_boards(ann, 1, NOON)
    client.force_login(ann)
    page = client.get(f"/match/{match.slug}/").text
    assert NEXT_BOARD in page
    assert f'<a class="button" href="/daily/{VARIANT}/">Today’s boards</a>' in page
    for text in ("Rematch", "New opponents", 'id="share-match"', 'id="share"', f"/match/{match.slug}/moments/"):
        assert text not in page, text
    second = client.post(f"/daily/{VARIANT}/boards/next/")["Location"]
    assert second != f"/match/{match.slug}/"
    page = client.get(second).text
    assert f'href="/daily/{VARIANT}/">Today’s boards</a>' in page.split('id="match"')[1]
    assert "Nobody else sees this table until the board closes." in page


@time_machine.travel(NOON, tick=False)
def test_last_board_leads_to_the_boards_of_the_day(client: Client) -> None:
    open_today()
    ann = account("Ann")
    for _board in range(8):
        last = play_next_board(user=ann, variant=VARIANT, now=NOON)
        play.stop_match(match_id=last.pk)
    client.force_login(ann)
    page = client.get(f"/match/{last.slug}/").text
    assert NEXT_BOARD not in page
    assert f'<a class="button act" href="/daily/{VARIANT}/">Today’s boards</a>' in page


def test_closed_board_leads_to_the_results_of_its_day(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_days, "DAILY_BOARDS", 1)
    ann = account("Ann")
    with time_machine.travel(NOON, tick=False) as clock:
        day = open_today()
        (match,) = play_boards(ann, 1, NOON)
        client.force_login(ann)
        assert NEXT_BOARD in client.get(f"/match/{match.slug}/").text
        clock.move_to(NOON + ONE_DAY)
        client.force_login(ann)
        close(day, NOON + ONE_DAY)
        page = client.get(f"/match/{match.slug}/").text
        assert NEXT_BOARD not in page
        assert f'<a class="button act" href="/daily/{VARIANT}/2026-11-28/">Results</a>' in page
        assert 'id="share-match"' in page
        assert f"/daily/{VARIANT}/2026-11-28/" in Client().get(f"/match/{match.slug}/").text


def test_review_compares_the_board_with_the_best_result_and_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_days, "DAILY_BOARDS", 1)
    ann, ben = account("Ann"), account("Ben")
    with time_machine.travel(NOON, tick=False) as clock:
        day = open_today()
        (own,), (other,) = (play_boards(user, 1, NOON) for user in (ann, ben))
        best, worse = sorted([own, other], key=lambda match: match.seats.get(user__isnull=False).user_id)
        browser = Client()
        browser.force_login(ann)
        assert 'id="same-board"' not in browser.get(f"/match/{own.slug}/review/").text
        clock.move_to(NOON + ONE_DAY)
        close(day, NOON + ONE_DAY)
        browser.force_login(ann)
        page = browser.get(f"/match/{own.slug}/review/").text.split('id="same-board"')[1]
        assert "<dt>You</dt>" in page
        assert all(level in page for level in ("Beginner", "Casual", "Steady", "Strong", "Master"))
        assert f'href="/daily/{VARIANT}/2026-11-28/"' in page
        visitor = Client().get(f"/match/{worse.slug}/review/").text.split('id="same-board"')[1]
        assert "<dt>You</dt>" not in visitor
        assert f'href="/match/{best.slug}/review/?as=0"' in visitor


@time_machine.travel(NOON, tick=False)
def test_nobody_offers_a_rematch_of_a_board(client: Client) -> None:
    open_today()
    ann = account("Ann")
    (match,) = play_boards(ann, 1, NOON)
    client.force_login(ann)
    client.post(f"/match/{match.slug}/rematch/", {"answer": "yes"})
    assert Match.objects.get() == match
    assert match.seats.get(user=ann).rematch == ""
