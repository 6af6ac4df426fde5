"""What a viewer may report: only what that viewer can see at an address that came with the number."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.http import Http404
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Block, User
from games.models import Match, Message
from games.moderation.cases.reportable import readable_line
from games.services import play
from tests.games import tables
from tests.games.tables import person

pytestmark = pytest.mark.django_db


def said_at(match: Match, user: User, room: str = "table", text: str = "You idiot") -> Message:
    return Message.objects.create(match=match, user=user, name=user.name, text=text, room=room)


def can_read(viewer: User, line: Message) -> bool:
    try:
        return readable_line(viewer, line.match.slug, line.pk) == line
    except Http404:
        return False


def test_what_cannot_be_reported_is_a_page_that_says_so(ann: User) -> None:
    ben = person("Ben")
    match = tables.running_table([ann, ben])
    own, hidden = said_at(match, ann), said_at(match, ben, text="Hidden")
    Message.objects.filter(pk=hidden.pk).update(hidden=True)
    aside = said_at(match, person("Eve"), "spectators")
    client, page = Client(), reverse("report")
    client.force_login(ann)
    asked = [f"match={match.slug}&line={line.pk}" for line in (own, hidden, aside)]
    asked += ["", "line=x", "line=-1", "line=99999999999999", "match=nowhere", f"person={person('Zoe').pk}"]
    assert [client.get(f"{page}?{each}").status_code for each in asked] == [404] * len(asked)


def test_a_line_is_found_only_with_the_address_of_its_match(ann: User) -> None:
    ben = person("Ben")
    match, other = tables.running_table([ann, ben]), tables.running_table([ann, ben])
    line = said_at(match, ben)
    for slug in ("", "nowhere", other.slug):
        with pytest.raises(Http404):
            readable_line(ann, slug, line.pk)
    assert readable_line(ann, match.slug, line.pk) == line


def test_spectators_of_a_delayed_match_report_a_line_once_it_is_shown(ann: User) -> None:
    ben, eve = person("Ben"), person("Eve")
    match = tables.running_table([ann, ben], delay="short")
    line = said_at(match, ben)
    assert [can_read(viewer, line) for viewer in (ann, eve)] == [True, False]
    Message.objects.filter(pk=line.pk).update(at=timezone.now() - timedelta(minutes=1))
    line.refresh_from_db()
    assert can_read(eve, line)


def test_lines_of_a_review_are_found_once_the_match_is_over(ann: User) -> None:
    ben = person("Ben")
    match = tables.running_table([ann, ben])
    line = said_at(match, ben, "review")
    before = can_read(ann, line)
    play.stop(match_id=match.pk, reason="moderated")
    assert [before, can_read(ann, line)] == [False, True]


def test_a_blocked_spectator_finds_no_line_while_the_match_lasts(ann: User) -> None:
    ben, eve = person("Ben"), person("Eve")
    line = said_at(tables.running_table([ann, ben]), ben)
    Block.objects.create(blocker=ann, blocked=eve)
    assert not can_read(eve, line)
