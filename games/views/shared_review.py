"""The chat of those who review a match together."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from games import access
from games.enums import Room
from games.models import Match
from games.rendering.chat import review_chat_zone
from games.rendering.frame import notice_zone
from games.rendering.page import safe
from games.review.chat import among_reviewers
from games.services import chat, inbound
from games.views.form_actions import Submission, review_action, seated, take_refusal
from games.words.chat import INVITATION


def together(request: HttpRequest, match: Match) -> dict[str, Any]:
    """Return what the page of a review shows of its chat."""
    refused, language = take_refusal(request), get_language() or "en"
    lines = among_reviewers(match.pk, access.muted(request.user, match, request.COOKIES))
    return {
        "written": lines,
        "said_here": safe(review_chat_zone(lines, language)["review-messages"]),
        "refused": refused and safe(notice_zone(refused, match.variant, language)["notice"]),
        "muted": access.mute_text(request.user.pk, match, Room.REVIEW),
    }


@review_action
def say(form: Submission, match: Match) -> Match:
    chat.post_in_review(match=match, user=form.person, **inbound.line_of(form.data))
    return match


@review_action
@seated
def invite(form: Submission, match: Match) -> Match:
    """Ask the others of the table, in its chat, to come to the review."""
    chat.post_message(match=match, user=form.person, phrase=INVITATION)
    return match
