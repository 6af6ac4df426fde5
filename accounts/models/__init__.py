"""The tables of people: users, sanctions, notices, relations."""

from __future__ import annotations

from accounts.models.api_token import ApiToken
from accounts.models.moderation_act import ModerationAct
from accounts.models.notice import Notice, PushSubscription
from accounts.models.relation import Block, Follow
from accounts.models.sanction import Appeal, Sanction
from accounts.models.trace import Trace
from accounts.models.user import User

__all__ = [
    "ApiToken",
    "Appeal",
    "Block",
    "Follow",
    "ModerationAct",
    "Notice",
    "PushSubscription",
    "Sanction",
    "Trace",
    "User",
]
