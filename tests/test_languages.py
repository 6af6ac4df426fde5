"""No page, mail or notification in another language shows an English text."""

from __future__ import annotations

from datetime import timedelta
from itertools import cycle, pairwise

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone, translation
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts import follows, notices
from accounts.models import PushSubscription, Sanction, User
from accounts.names.rules import ANIMALS
from accounts.sanctions import imposing
from games.lobby import invitations
from games.services import push_notifications, reminders
from tests.accounts.conftest import PASSWORD
from tests.foreign_texts import LANGUAGES, english_texts, foreign_texts, texts_of
from tests.games import tables
from tests.games.lobby.test_tables import table as open_lobby_table
from tests.language_pages import prepare_sample

OTHERS = [language for language in LANGUAGES if language != "en"]
MAX_SHARED_TEXTS = 30
SIGN_UP_FORM = {"username": "Zsófi", "email": "zsofi@example.org", "password1": PASSWORD, "password2": PASSWORD}


@pytest.mark.django_db
def test_pages_contain_no_english_text() -> None:
    sample = prepare_sample()
    player = Client()
    player.force_login(sample.player)
    visits = [(Client(), page) for page in sample.public_pages] + [(player, page) for page in sample.own_pages]
    texts_by_page = {}
    # Each page in one language: a text that is never translated is English in all of them.
    for (client, page), language in zip(visits, cycle(OTHERS), strict=False):
        answer = client.get(page, headers={"accept-language": language}, follow=True)
        content = answer.content.decode()
        assert (answer.status_code, f'<html lang="{language}"' in content) == (200, True), page
        texts_by_page[language, page] = english_texts(language, texts_of(content))
    assert {place: texts for place, texts in texts_by_page.items() if texts} == {}


@pytest.mark.django_db
@pytest.mark.parametrize("language", OTHERS)
def test_mails_contain_no_english_text(
    client: Client, language: str, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    headers = {"accept-language": language}
    client.post("/accounts/signup/", SIGN_UP_FORM, headers=headers)
    user = User.objects.get()
    EmailAddress.objects.filter(user=user).update(verified=True)
    Client().post("/accounts/password/reset/", {"email": user.email}, headers=headers)
    match = tables.running_table([user, tables.person("Ben")], clock="1-day")
    while tables.player_to_move(match) != user:
        tables.make_first_move(match)
    with django_capture_on_commit_callbacks(execute=True):
        reminders.send_reminders(now=timezone.now() + timedelta(hours=20))
    texts = [text for message in mail.outbox for text in (str(message.subject), *message.body.splitlines())]
    assert len(mail.outbox) == 3
    assert english_texts(language, texts) == []


@pytest.mark.django_db
@pytest.mark.parametrize("language", OTHERS)
def test_notices_of_sanctions_contain_no_english_text(language: str) -> None:
    root = User.objects.create(username="root", is_staff=True, is_superuser=True)
    later = timezone.now() + timedelta(days=3)
    for kind in Sanction.Kind:
        for until in (None, later):
            user = tables.person(language=language)
            imposing.impose(moderator=root, user=user, kind=kind, reason="…", until=until)
    new_name = Sanction.objects.filter(kind=Sanction.Kind.RENAMING).first().facts["given"]
    with translation.override(language):
        assert new_name.rpartition(" ")[0] in list(map(str, ANIMALS))
        texts = [
            str(notice.text)
            for user in User.objects.filter(has_notices=True)
            for notice in notices.pending_notices(user)
        ]
    assert len(texts) == 2 * len(Sanction.Kind)
    assert english_texts(language, texts) == []


@pytest.mark.django_db
@pytest.mark.parametrize("language", OTHERS)
def test_notifications_contain_no_english_text(language: str) -> None:
    ann, ben = people = [tables.person(name, language=language) for name in ("Ann", "Ben")]
    for user in people:
        endpoint, expires_at = f"https://fcm.googleapis.com/{user.pk}", timezone.now() + timedelta(days=1)
        PushSubscription.objects.create(user=user, endpoint=endpoint, expires_at=expires_at)
    tables.running_table(people, clock="1-day")
    match = tables.running_table(people, clock="relaxed")
    tables.hold_seat(match, tables.player_to_move(match))
    follows.follow(follower=ann, followed=ben)
    invitations.invite(match=open_lobby_table(ann, seats=4), by=ann, person_id=ben.pk)
    due = push_notifications.take_due_notifications(now=timezone.now() + timedelta(seconds=6), limit=9)
    texts = [text for delivery in due for text in (delivery.notification.title, delivery.notification.body)]
    assert len({delivery.notification.title for delivery in due}) == 3
    assert english_texts(language, texts) == []


@pytest.mark.parametrize(
    "html",
    [
        "<p>Find the one clearly best move.</p>",
        '<button aria-label="How to play">?</button>',
        '<p><b translate="no">Ann</b>’s turn.</p>',
        '<b translate="no" data-over="It’s your turn:">12</b>',
        "<p>A text of the catalogues it is not, but you can read it.</p>",
    ],
)
def test_planted_english_is_found(html: str) -> None:
    for language in OTHERS:
        assert english_texts(language, texts_of(f"<div><p>Jó napot</p>{html}</div>")), language


def test_text_that_is_not_translated_is_ignored() -> None:
    assert (
        english_texts("hu", texts_of('<p translate="no">Find the one clearly <b>best</b> move.</p><p>Kozel</p>')) == []
    )


@pytest.mark.parametrize(("language", "foreign"), [*pairwise([*LANGUAGES, LANGUAGES[0]])])
def test_planted_text_of_another_language_is_found(language: str, foreign: str) -> None:
    texts = foreign_texts(language, foreign)
    assert len(texts.shared) < MAX_SHARED_TEXTS, texts.shared
    with translation.override(foreign):
        text = translation.gettext("A bot plays for you: come back")
    assert texts.found_in([f"<{text}>"]) == [text]


@pytest.mark.django_db
def test_calculations_have_the_decimal_mark_of_the_language(client: Client) -> None:
    pages = {page: client.get(page).content.decode() for page in ("/rules/kozel/", "/cs/rules/kozel/")}
    assert "0.2 &lt; 1" in pages["/rules/kozel/"]
    assert "0,2 &lt; 1" in pages["/cs/rules/kozel/"]
