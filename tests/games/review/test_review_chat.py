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


def review_page(match: Match, viewer: User | None = None) -> str:
    client = Client()
    if viewer:
        client.force_login(viewer)
    return client.get(reverse("match-review", args=[match.slug])).content.decode()


def test_line_is_visible_only_in_the_review(match: Match, ann: User) -> None:
    cleo = tables.person("Cleo")
    posting.post_in_review(match=match, user=cleo, text="6-4 was better")
    for viewer in (None, ann, cleo):
        assert "6-4 was better" in review_page(match, viewer)
    assert "6-4 was better" not in Client().get(reverse("match", args=[match.slug])).content.decode()
    blocks.block(blocker=ann, blocked=cleo)
    assert "6-4 was better" not in review_page(match, ann)


def test_review_chat_needs_a_finished_match(ann: User, ben: User, match: Match) -> None:
    running = tables.running_table([tables.person("Cleo"), tables.person("Dora")])
    with pytest.raises(Refused, match="not_finished"):
        posting.post_in_review(match=running, user=ann, text="I hold the 6-6")
    reversals.make_void(match)
    with pytest.raises(Refused, match="no_table"):
        posting.post_in_review(match=match, user=tables.person("Elsa"), text="why?")
    assert not Message.objects.filter(room=Message.Room.REVIEW).exists()


def test_where_only_phrases_were_agreed_no_free_text_is_written_here_either(match: Match, ann: User) -> None:
    Match.objects.filter(pk=match.pk).update(talk=Match.Talk.PRESET_PHRASES)
    match.refresh_from_db()
    with pytest.raises(Refused, match="phrases_only"):
        posting.post_in_review(match=match, user=ann, text="why?")
    posting.post_in_review(match=match, user=ann, phrase="played")
    assert "Well played!" in review_page(match)


@pytest.mark.parametrize("scope", [Sanction.Scope.EVERYWHERE, Sanction.Scope.TABLE])
def test_muted_reader_sees_the_reason_and_cannot_write(match: Match, ann: User, scope: str) -> None:
    facts = {"table": match.slug} if scope == Sanction.Scope.TABLE else {}
    Sanction.objects.create(user=ann, kind="mute", scope=scope, facts=facts, reason="spam")
    with pytest.raises(Refused, match="muted"):
        posting.post_in_review(match=match, user=ann, text="why?")
    page = review_page(match, ann)
    assert "review-text" not in page


def test_without_a_script_a_line_is_posted_and_a_refusal_is_shown_there(match: Match, ann: User) -> None:
    client, address = Client(), reverse("match-review-chat", args=[match.slug])
    client.force_login(ann)
    response = client.post(address, {"type": "chat", "text": "Look at step 2"}, follow=True)
    assert response.redirect_chain[-1][0] == reverse("match-review", args=[match.slug])
    assert "Look at step 2" in response.content.decode()
    refused = client.post(address, {"type": "chat", "text": " "}, follow=True).content.decode()
    assert "The message is empty." in refused


def test_result_invites_the_other_players_to_the_review(match: Match, ann: User, ben: User) -> None:
    table, address = reverse("match", args=[match.slug]), reverse("match-review-invite", args=[match.slug])
    clients = {user: Client() for user in (ann, ben, tables.person("Cleo"))}
    for user, client in clients.items():
        client.force_login(user)
        assert (address in client.get(table).content.decode()) == (user in (ann, ben))
    response = clients[ann].post(address, follow=True)
    assert response.redirect_chain[-1][0] == reverse("match-review", args=[match.slug])
    assert "Shall we go through the match together?" in clients[ben].get(table).content.decode()


def test_player_among_bots_has_nobody_to_invite(ann: User) -> None:
    match = tables.running_table([ann], bots=1, clock="none")
    play.stop_match(match_id=match.pk)
    client = tables.browser_of(ann)
    assert "review-together" not in client.get(reverse("match", args=[match.slug])).content.decode()


def test_deleting_a_person_deletes_their_lines(match: Match) -> None:
    cleo = tables.person("Cleo")
    posting.post_in_review(match=match, user=cleo, text="I am Cleo")
    personal_data.erase_person(cleo)
    assert "I am Cleo" not in review_page(match)
