"""The people in a shared review, and who leads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from django.template.loader import render_to_string
from django.utils import translation

from games.chat.rendering import review_chat_zones
from games.html import Html
from games.match.table import ChatLine
from games.presence.people import People
from games.rendering.changes import Zones
from games.review.participants import Shown
from games.words import pages
from infrastructure.bidi import isolate


@lru_cache(maxsize=100)
def frame(shown: Shown, *, leads: bool, may_lead: bool, language: str) -> Html:
    """Return the frame for the leader, for people who may lead, or for visitors."""
    with translation.override(language):
        context = {"shown": shown, "names": names(shown.people), "leads": leads, "may_lead": may_lead}
        context["others"] = others(shown)
        text = render_to_string("review/shared_review.html", context)
        said = render_to_string("review/shared_review_said.html", context)
    return Zones({"shared-review": Html(text), "shared-review-said": Html(said)}).whole


def chat_frame(lines: Sequence[ChatLine], language: str) -> Html:
    """Return the frame with what those who review the match have written."""
    return review_chat_zones(lines, language).whole


def others(shown: Shown) -> list[tuple[int, str]]:
    """Return to whom the leader may hand over: the ids and names of the others who are named."""
    leader = shown.leader.user_id if shown.leader else None
    return [(user_id, name) for user_id, name, _guest in shown.people.named if user_id != leader]


def names(people: People) -> str:
    """Return who is there: ``Ann, Bob, 2 others``."""
    named = [(isolate(name), guest) for _user_id, name, guest in people.named]
    texts = [pages.NAMED_GUEST % {"name": name} if guest else name for name, guest in named]
    if people.others:
        text = pages.OTHERS if texts else pages.VISITORS
        texts.append(text % {"count": people.others})
    return str(pages.COMMA).join(texts)
