"""Viewers can report only what they can see now, at an address that they have."""

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


def post(match: Match, user: User, room: str = "table", text: str = "You idiot") -> Message:
    return Message.objects.create(match=match, user=user, name=user.name, text=text, room=room)


def can_read(viewer: User, line: Message) -> bool:
    try:
        return readable_line(viewer, line.match.slug, line.pk) == line
    except Http404:
        return False


def test_unreportable_requests_answer_404(ann: User) -> None:
    ben = person("Ben")
    match = tables.running_table([ann, ben])
    own, hidden = post(match, ann), post(match, ben, text="Hidden")
    Message.objects.filter(pk=hidden.pk).update(hidden=True)
    aside = post(match, person("Eve"), "spectators")
    client, page = Client(), reverse("report")
    client.force_login(ann)
    queries = [f"match={match.slug}&line={line.pk}" for line in (own, hidden, aside)]
    queries += ["", "line=x", "line=-1", "line=99999999999999", "match=nowhere", f"person={person('Zoe').pk}"]
    assert [client.get(f"{page}?{query}").status_code for query in queries] == [404] * len(queries)


def test_line_needs_the_slug_of_its_match(ann: User) -> None:
    ben = person("Ben")
    match, other = tables.running_table([ann, ben]), tables.running_table([ann, ben])
    line = post(match, ben)
    for slug in ("", "nowhere", other.slug):
        with pytest.raises(Http404):
            readable_line(ann, slug, line.pk)
    assert readable_line(ann, match.slug, line.pk) == line


def test_delayed_spectators_can_report_a_line_once_they_see_it(ann: User) -> None:
    ben, eve = person("Ben"), person("Eve")
    match = tables.running_table([ann, ben], delay="short")
    line = post(match, ben)
    assert [can_read(viewer, line) for viewer in (ann, eve)] == [True, False]
    Message.objects.filter(pk=line.pk).update(at=timezone.now() - timedelta(minutes=1))
    line.refresh_from_db()
    assert can_read(eve, line)


def test_lines_of_a_review_can_be_reported_after_the_match(ann: User) -> None:
    ben = person("Ben")
    match = tables.running_table([ann, ben])
    line = post(match, ben, "review")
    before = can_read(ann, line)
    play.stop_match(match_id=match.pk, reason="moderated")
    assert [before, can_read(ann, line)] == [False, True]


def test_blocked_spectators_cannot_report_lines_of_a_running_match(ann: User) -> None:
    ben, eve = person("Ben"), person("Eve")
    line = post(tables.running_table([ann, ben]), ben)
    Block.objects.create(blocker=ann, blocked=eve)
    assert not can_read(eve, line)
