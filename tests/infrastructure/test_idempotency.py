"""A form that a browser sends twice is processed once, and both requests get the same answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from time import sleep
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from redis.exceptions import ConnectionError as RedisConnectionError

from accounts import follows
from accounts.models import Appeal, Sanction, User
from games.chat import posting
from games.models import Invitation, Match, Message, Report, Seat
from infrastructure import idempotency
from tests.games import tables
from tests.games.lobby.test_tables import table
from tests.games.records.test_imported import as_json
from tests.games.tables import person

pytestmark = pytest.mark.django_db
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
PLAY = {"variant": "kozel"}
TABLE = {"variant": "kozel", "seats": "2", "clock": "normal", "visibility": "public"}
PRESSES = 4


class Tab:
    """A rendered page whose forms are sent with the token of the page. The check of forged forms is on."""

    def __init__(self, page: str = "/", user: User | None = None, browser: Client | None = None) -> None:
        self.browser = browser or Client(enforce_csrf_checks=True, raise_request_exception=False)
        if user:
            self.browser.force_login(user)
        token = TOKEN.search(self.browser.get(page).text)
        assert token
        self.token = token[1]
        self.cookies = {name: morsel.value for name, morsel in self.browser.cookies.items()}

    def press(self, path: str, fields: dict[str, Any], **headers: str) -> Any:
        """Send a form with the cookies that the browser has now."""
        return self.browser.post(path, fields | {"csrfmiddlewaretoken": self.token}, headers=headers)

    def press_before_the_answer(self, path: str, fields: dict[str, Any]) -> Any:
        """Send a form with the cookies of the page, as a press does that comes before the answer to another."""
        browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
        browser.cookies.load(self.cookies)
        return browser.post(path, fields | {"csrfmiddlewaretoken": self.token})


def session_of(answer: Any) -> str:
    return str(answer.cookies[settings.SESSION_COOKIE_NAME].value)


@pytest.mark.stack
def test_a_visitor_who_presses_play_now_twice_gets_one_guest_and_one_seat() -> None:
    tab = Tab()
    answers = [tab.press_before_the_answer("/play/", PLAY) for _ in range(PRESSES)]
    guest, match = User.objects.get(), Match.objects.get()
    assert {answer.headers["Location"] for answer in answers} == {f"/match/{match.slug}/"}
    assert len({session_of(answer) for answer in answers}) == 1
    assert Seat.objects.get(user__isnull=False).user == guest
    browser = Client()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session_of(answers[-1])
    assert browser.get(f"/match/{match.slug}/").context["user"] == guest


def test_a_press_after_the_answer_has_arrived_leads_to_the_same_table() -> None:
    tab = Tab()
    answers = [tab.press("/play/", PLAY) for _ in range(PRESSES)]
    assert {answer.headers["Location"] for answer in answers} == {f"/match/{Match.objects.get().slug}/"}
    assert User.objects.count() == 1


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_simultaneous_presses_wait_for_the_first_answer() -> None:
    tab, barrier = Tab(), Barrier(PRESSES)

    def press() -> Any:
        barrier.wait()
        try:
            return tab.press_before_the_answer("/play/", PLAY)
        finally:
            connection.close()

    with ThreadPoolExecutor(PRESSES) as pool:
        answers = [future.result() for future in [pool.submit(press) for _ in range(PRESSES)]]
    assert {answer.headers["Location"] for answer in answers} == {f"/match/{Match.objects.get().slug}/"}
    assert len({session_of(answer) for answer in answers}) == 1
    assert User.objects.count() == 1


def test_people_behind_one_address_never_get_each_others_answer() -> None:
    one, other = Tab(), Tab()
    sessions = {session_of(tab.press("/play/", PLAY)) for tab in (one, other)}
    assert len(sessions) == User.objects.count() == 2
    thief = Tab()
    thief.token = one.token
    refused = thief.press("/play/", PLAY)
    assert settings.SESSION_COOKIE_NAME not in refused.cookies
    assert not refused.headers.get("Location", "").startswith("/match/")


def test_a_browser_that_has_logged_out_since_does_not_get_the_session_back(ann: User) -> None:
    tab = Tab("/", ann)
    tab.press("/tables/new/", TABLE | {"preset": "duel"})
    Tab("/", browser=tab.browser).press("/accounts/logout/", {})
    tab.press("/tables/new/", TABLE | {"preset": "duel"})
    assert tab.browser.get("/").context["user"] != ann


def test_other_fields_or_another_rendering_of_the_page_are_other_presses(ann: User) -> None:
    tab = Tab("/", ann)
    for preset in ("duel", "relaxed"):
        tab.press("/tables/new/", TABLE | {"preset": preset})
    assert Match.objects.count() == 2
    Tab("/", browser=tab.browser).press("/tables/new/", TABLE | {"preset": "duel"})
    assert Match.objects.count() == 3


@pytest.mark.stack
def test_an_answer_is_replayed_for_a_time_only(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency, "REPLAY_SECONDS", 1)
    tab = Tab("/", ann)
    tab.press("/tables/new/", TABLE | {"preset": "duel"})
    sleep(1.1)
    tab.press("/tables/new/", TABLE | {"preset": "duel"})
    assert Match.objects.count() == 2


def test_scripts_may_send_the_same_fields_again(ann: User) -> None:
    tab = Tab("/", ann)
    for headers in ({"sec-fetch-mode": "cors"}, {"hx-request": "true"}):
        for felt in ("blue", "green", "blue"):
            tab.press("/accounts/looks/", {"felt": felt, "tiles": "bone"}, **headers)
            assert User.objects.get().felt == felt


def test_a_form_with_errors_can_be_sent_again() -> None:
    tab = Tab("/accounts/guest/")
    answers = [tab.press("/accounts/guest/", {"name": "", "colour": "red"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert "errorlist" in answers[1].text


def test_a_press_that_failed_can_be_repeated(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_options: Any) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    tab = Tab("/", ann)
    with monkeypatch.context() as broken:
        broken.setattr("games.lobby.tables.open_table", fail)
        assert tab.press("/tables/new/", TABLE | {"preset": "duel"}).status_code == 503
    assert tab.press("/tables/new/", TABLE | {"preset": "duel"}).headers["Location"].startswith("/match/")


@pytest.mark.stack
def test_a_press_whose_process_died_is_processed_by_the_next_one(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency, "PROCESSING_SECONDS", 1)
    monkeypatch.setattr(idempotency.Submission, "finish", lambda *_lost: None)
    tab = Tab("/", ann)
    for opened in (1, 2):
        tab.press("/tables/new/", TABLE | {"preset": "duel"})
        assert Match.objects.count() == opened


@pytest.mark.stack
def test_without_its_cache_forms_are_processed(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise RedisConnectionError

    monkeypatch.setattr(idempotency, "_cache", away)
    assert Tab("/", ann).press("/tables/new/", TABLE | {"preset": "duel"}).status_code == 302
    assert Match.objects.count() == 1


def create_table(ann: User) -> tuple[str, dict[str, Any], Any]:
    return "/tables/new/", TABLE, Match


def create_table_of_preset(ann: User) -> tuple[str, dict[str, Any], Any]:
    return "/tables/new/", {"variant": "kozel", "preset": "duel"}, Match


def invite(ann: User) -> tuple[str, dict[str, Any], Any]:
    ben = person("Ben")
    follows.follow(follower=ann, followed=ben)
    return f"/match/{table(ann, visibility='link').slug}/invite/", {"person": str(ben.pk)}, Invitation


def ask_for_rematch(ann: User) -> tuple[str, dict[str, Any], Any]:
    match = tables.running_table([ann], bots=1)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED, finished_at=timezone.now())
    return f"/match/{match.slug}/rematch/", {}, Match


def write_line(ann: User) -> tuple[str, dict[str, Any], Any]:
    return f"/match/{tables.running_table([ann, person('Ben')]).slug}/chat/", {"text": "Hello"}, Message


def report_person(ann: User) -> tuple[str, dict[str, Any], Any]:
    ben = person("Ben")
    match = tables.running_table([ann, ben])
    line = posting.post_message(match=match, user=ben, text="You idiot")
    return "/report/", {"match": match.slug, "line": line.pk, "person": ben.pk, "reason": "insults"}, Report


def appeal(ann: User) -> tuple[str, dict[str, Any], Any]:
    mute = Sanction.objects.create(user=ann, kind=Sanction.Kind.MUTE, until=timezone.now() + timedelta(days=1))
    return f"/accounts/sanctions/{mute.pk}/appeal/", {"words": "It was my brother."}, Appeal


CREATING = (create_table, create_table_of_preset, invite, ask_for_rematch, write_line, report_person, appeal)


@pytest.mark.parametrize("prepare", CREATING)
def test_a_double_press_creates_one(prepare: Any, ann: User) -> None:
    path, fields, model = prepare(ann)
    before = model.objects.count()
    tab = Tab("/", ann)
    answers = [tab.press(path, fields) for _ in range(2)]
    assert model.objects.count() == before + 1
    assert [answer.status_code for answer in answers] in ([302, 302], [303, 303])
    assert answers[0].headers["Location"] == answers[1].headers["Location"]


def test_a_record_uploaded_by_a_double_press_is_stored_once(ann: User) -> None:
    tab = Tab("/review/import/", ann)
    uploads = [SimpleUploadedFile("record.json", as_json().encode()) for _ in range(2)]
    answers = [tab.press("/review/import/", {"file": upload}) for upload in uploads]
    assert answers[0].headers["Location"] == answers[1].headers["Location"]


def test_a_visitor_who_presses_sit_twice_takes_one_seat_of_an_unlisted_table(ann: User) -> None:
    match = table(ann, visibility="link", seats=4)
    tab = Tab(f"/match/{match.slug}/")
    for _ in range(2):
        tab.press_before_the_answer(f"/match/{match.slug}/sit/", {})
    assert Seat.objects.filter(match=match, user__is_guest=True).count() == 1


def views() -> Iterator[tuple[str, Any]]:
    def walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str, Any]]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns, prefix + str(pattern.pattern))
            else:
                yield prefix + str(pattern.pattern), pattern.callback

    return walk(get_resolver().url_patterns, "")


def test_every_form_has_the_token_that_makes_it_idempotent() -> None:
    """Moves over the API name the version of the match instead; its tokens make the form's unnecessary."""
    exempt = {path for path, view in views() if getattr(view, "csrf_exempt", False) and not path.startswith("api/")}
    assert exempt == {"accounts/mails/<str:token>/"}  # sets one value, and mail providers send it without a page
