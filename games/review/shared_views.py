"""The chat of a shared review, and its updates for pages without a socket."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import get_language

from games import access
from games.chat.phrases import REVIEW_INVITATION
from games.chat.posting import post_in_review, post_message
from games.chat.rendering import review_chat_zones
from games.chat.review import review_chat_lines
from games.enums import ChatRoom
from games.match.table import ChatLine
from games.models import Match
from games.rendering.frame import notice_zones
from games.rendering.page import as_safe_string
from games.review.shared_rendering import shared_review_frame
from games.review.shared_review import shared_review_state
from games.services import inbound
from games.views.polling import frame_response, is_poll
from games.web.form_actions import Submission, pop_refusal, review_action, seat_required


def shared_review_context(request: HttpRequest, match: Match) -> dict[str, Any]:
    """Return the context of the chat on the page of a review."""
    refused, language = pop_refusal(request), get_language() or "en"
    lines = _chat_lines(request, match)
    return {
        "chat_lines": lines,
        "chat_html": as_safe_string(review_chat_zones(lines, language).markup["review-messages"]),
        "refusal": refused and as_safe_string(notice_zones(refused, match.variant, language).markup["notice"]),
        "muted": access.mute_text(request.user.pk, match, ChatRoom.REVIEW),
    }


def _chat_lines(request: HttpRequest, match: Match) -> tuple[ChatLine, ...]:
    return review_chat_lines(match.pk, access.muted_chats(request.user, match, request.COOKIES))


def chat_page(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Post a line of chat, or return to a polling page what a socket would send to a follower."""
    if request.method != "GET" or not is_poll(request):
        return post_chat_line(request, slug)
    match = access.visible_match(request.user, slug)
    if not access.is_over_for(request.user, match):
        raise Http404
    language, refused = get_language() or "en", pop_refusal(request)
    frames = [
        shared_review_frame(shared_review_state(slug), is_leader=False, may_lead=False, language=language),
        review_chat_zones(_chat_lines(request, match), language).full_update,
        notice_zones(refused, match.variant, language).full_update if refused else "",
    ]
    text = "".join(frames)
    return frame_response(request, lambda: text, key=text)


@review_action
def post_chat_line(form: Submission, match: Match) -> Match:
    post_in_review(match=match, user=form.person, **inbound.read_chat_line(form.data))
    return match


@review_action
@seat_required
def invite_table(form: Submission, match: Match) -> Match:
    """Invite the other players to the review, with a message in the chat of the table."""
    post_message(match=match, user=form.person, phrase=REVIEW_INVITATION)
    return match
