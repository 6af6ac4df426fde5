"""Those who review a match together write to each other, once it is over, with and without a script."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts import blocks, personal_data
from accounts.models import Sanction, User
from games.chat import posting
from games.errors import Refused
from games.models import Match, Message
from games.moderation import reversals
from games.services import play
from tests.games import tables


@pytest.fixture
def match(ann: User, ben: User) -> Match:
    """A match that is over after its first move, and that others may see."""
    match = tables.running_table([ann, ben], clock="none")
    tables.make_first_move(match)
    play.stop_match(match_id=match.pk)
    match.refresh_from_db()
    return match


def shown(match: Match, viewer: User | None = None) -> str:
    client = Client()
    if viewer:
        client.force_login(viewer)
    return client.get(reverse("match-review", args=[match.slug])).content.decode()


def test_a_line_is_read_in_the_review_by_all_and_nowhere_else(match: Match, ann: User) -> None:
    cleo = tables.person("Cleo")
    posting.post_in_review(match=match, user=cleo, text="6-4 was better")
    for viewer in (None, ann, cleo):
        assert "6-4 was better" in shown(match, viewer)
    assert "6-4 was better" not in Client().get(reverse("match", args=[match.slug])).content.decode()
    blocks.block(blocker=ann, blocked=cleo)
    assert "6-4 was better" not in shown(match, ann)


def test_nobody_writes_in_the_review_of_a_match_that_runs_or_is_void(ann: User, ben: User, match: Match) -> None:
    running = tables.running_table([tables.person("Cleo"), tables.person("Dora")])
    with pytest.raises(Refused, match="not_finished"):
        posting.post_in_review(match=running, user=ann, text="I hold the 6-6")
    reversals.make_void(match)
    with pytest.raises(Refused, match="no_table"):
        posting.post_in_review(match=match, user=tables.person("Elsa"), text="why?")
    assert not Message.objects.filter(room=Message.Room.REVIEW).exists()


def test_where_only_phrases_were_agreed_no_free_text_is_written_here_either(match: Match, ann: User) -> None:
    Match.objects.filter(pk=match.pk).update(talk=Match.Talk.PHRASES)
    match.refresh_from_db()
    with pytest.raises(Refused, match="phrases_only"):
        posting.post_in_review(match=match, user=ann, text="why?")
    posting.post_in_review(match=match, user=ann, phrase="played")
    assert "Well played!" in shown(match)


@pytest.mark.parametrize("scope", [Sanction.Scope.EVERYWHERE, Sanction.Scope.TABLE])
def test_whoever_is_muted_sees_why_and_writes_nothing(match: Match, ann: User, scope: str) -> None:
    facts = {"table": match.slug} if scope == Sanction.Scope.TABLE else {}
    Sanction.objects.create(user=ann, kind="mute", scope=scope, facts=facts, reason="spam")
    with pytest.raises(Refused, match="muted"):
        posting.post_in_review(match=match, user=ann, text="why?")
    page = shown(match, ann)
    assert "review-text" not in page


def test_without_a_script_a_line_is_posted_and_a_refusal_is_shown_there(match: Match, ann: User) -> None:
    client, address = Client(), reverse("match-review-chat", args=[match.slug])
    client.force_login(ann)
    response = client.post(address, {"type": "chat", "text": "Look at step 2"}, follow=True)
    assert response.redirect_chain[-1][0] == reverse("match-review", args=[match.slug])
    assert "Look at step 2" in response.content.decode()
    refused = client.post(address, {"type": "chat", "text": " "}, follow=True).content.decode()
    assert "The message is empty." in refused


def test_from_the_result_one_invites_the_others_of_the_table(match: Match, ann: User, ben: User) -> None:
    table, address = reverse("match", args=[match.slug]), reverse("match-review-invite", args=[match.slug])
    clients = {user: Client() for user in (ann, ben, tables.person("Cleo"))}
    for user, client in clients.items():
        client.force_login(user)
        assert (address in client.get(table).content.decode()) == (user in (ann, ben))
    response = clients[ann].post(address, follow=True)
    assert response.redirect_chain[-1][0] == reverse("match-review", args=[match.slug])
    assert "Shall we go through the match together?" in clients[ben].get(table).content.decode()


def test_who_plays_with_bots_alone_invites_nobody(ann: User) -> None:
    match = tables.running_table([ann], bots=1, clock="none")
    play.stop_match(match_id=match.pk)
    client = tables.browser_of(ann)
    assert "review-together" not in client.get(reverse("match", args=[match.slug])).content.decode()


def test_who_is_deleted_takes_the_lines_away(match: Match) -> None:
    cleo = tables.person("Cleo")
    posting.post_in_review(match=match, user=cleo, text="I am Cleo")
    personal_data.erase(cleo)
    assert "I am Cleo" not in shown(match)
