"""Right-to-left names and texts do not change the order of what is around them, wherever they are shown."""

from __future__ import annotations

import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.chat import posting
from games.models import Message
from games.moderation.cases.reporting import ReportedPlace, report_person
from games.services import play
from tests.games import tables

NAME, OTHER = "חהדג", "שלום"
TEXT = "אתה יכול?"
ANY = f"(?:{NAME}|{OTHER})"
ISOLATED = re.compile(rf'<bdi[^>]*>{ANY}</bdi>|\u2068{ANY}\u2069|value="{ANY}"')


@pytest.fixture
def people() -> list[User]:
    return [tables.person(NAME), tables.person(OTHER)]


def unisolated_names(text: str) -> list[str]:
    """Return where a name is not isolated from the text around it."""
    rest = ISOLATED.sub("", text)
    return [rest[max(0, hit.start() - 60) : hit.end() + 20] for hit in re.finditer(f"{NAME}|{OTHER}", rest)]


def page(viewer: User | None, name: str, *arguments: object) -> str:
    client = Client()
    if viewer:
        client.force_login(viewer)
    answer = client.get(reverse(name, args=arguments))
    assert answer.status_code == 200
    return answer.text


def test_every_page_of_a_match_isolates_names(people: list[User]) -> None:
    waiting = tables.open_table([tables.person(NAME)], bots=1)
    match = tables.running_table(people, bots=2)
    tables.make_first_move(match)
    pages = [page(viewer, "match", table.slug) for viewer in (None, people[0]) for table in (waiting, match)]
    pages += [page(people[1], name) for name in ("lobby", "tv", "matches", "settings")]
    tables.play_until(match, lambda state: state.match_over is not None)
    match.refresh_from_db()
    for viewer in (None, people[0]):
        pages += [page(viewer, name, match.slug) for name in ("match", "match-review", "match-scores", "match-embed")]
        pages += [page(viewer, "person", people[0].pk), page(viewer, "matches")]
    assert [fragment for html in pages for fragment in unisolated_names(html)] == []
    assert all(NAME in html for html in pages[:4])


def test_a_line_of_chat_keeps_name_and_text_apart(people: list[User]) -> None:
    match = tables.running_table(people)
    posting.post_message(match=match, user=people[0], text=TEXT)
    posting.post_message(match=match, user=tables.person("Cleo"), text=TEXT)
    play.stop_match(match_id=match.pk)
    html = page(people[0], "match", match.slug)
    assert html.count(f'<span dir="auto">{TEXT}</span>') == 2
    assert TEXT not in html.replace(f'<span dir="auto">{TEXT}</span>', "")
    assert f'<b><bdi translate="no">{NAME}</bdi></b>' in html


def test_previews_of_links_isolate_names(people: list[User]) -> None:
    match = tables.running_table(people)
    assert f"\u2068{NAME}\u2069, \u2068{OTHER}\u2069" in page(None, "match", match.slug)


def test_mails_isolate_names(client: Client) -> None:
    client.post(
        reverse("account_signup"),
        {
            "username": NAME * 2,
            "email": "a@example.org",
            "password1": "Correct-horse-77",
            "password2": "Correct-horse-77",
        },
    )
    assert f"The account \u2068{NAME * 2}\u2069 on" in mail.outbox[0].body


def test_a_case_isolates_names_and_lines(people: list[User]) -> None:
    match = tables.running_table(people)
    line = Message.objects.create(match=match, user=people[0], name=NAME, text=TEXT, room=Message.Room.TABLE)
    case = report_person(
        reporter=people[1], suspect=people[0], reason="insults", place=ReportedPlace(match, None, line)
    ).case
    root = tables.person("Root", is_staff=True, is_superuser=True)
    html = page(root, "admin:games_case_change", case.pk)
    assert f'<span dir="auto">{TEXT}</span>' in html
    assert f'<b><bdi translate="no">{NAME}</bdi></b>' in html
    assert f"History of \u2068{NAME}\u2069" in html
