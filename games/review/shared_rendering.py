"""Renders the people in a shared review, its leader, and its chat."""

from __future__ import annotations

from functools import lru_cache

from django.template.loader import render_to_string
from django.utils import translation

from games.html import Html
from games.presence.people import People
from games.rendering.zones import Zones
from games.review.participants import SharedReview
from games.words import page_labels
from infrastructure.bidi import isolate


@lru_cache(maxsize=100)
def shared_review_frame(state: SharedReview, *, is_leader: bool, may_lead: bool, language: str) -> Html:
    """Return the frame for the leader, for people who may lead, or for visitors."""
    leader_id = state.leader.user_id if state.leader else None
    with translation.override(language):
        context = {
            "state": state,
            "names": names_text(state.people),
            "is_leader": is_leader,
            "may_lead": may_lead,
            # People to whom the leader can hand over.
            "other_people": [(user_id, name) for user_id, name, _guest in state.people.named if user_id != leader_id],
        }
        markup = render_to_string("review/shared_review.html", context)
        status = render_to_string("review/shared_review_announcement.html", context)
    return Zones({"shared-review": Html(markup), "shared-review-said": Html(status)}).full_update


def names_text(people: People) -> str:
    """Return the people on the page: ``Ann, Bob, 2 others``."""
    named = [(isolate(name), guest) for _user_id, name, guest in people.named]
    texts = [page_labels.NAMED_GUEST % {"name": name} if guest else name for name, guest in named]
    if people.unnamed:
        text = page_labels.OTHERS if texts else page_labels.VISITORS
        texts.append(text % {"count": people.unnamed})
    return str(page_labels.COMMA).join(texts)
