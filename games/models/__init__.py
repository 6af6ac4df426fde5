"""Data and constraints of matches, one module a subject. No rules live here."""

from __future__ import annotations

from games.models.crowd import Crowd
from games.models.deal_statistics import DealStatistics
from games.models.match import SLUG_ALPHABET, Match, new_slug
from games.models.match_event import MatchEvent
from games.models.message import Message
from games.models.pulse import Pulse
from games.models.seat import Seat

__all__ = ["SLUG_ALPHABET", "Crowd", "DealStatistics", "Match", "MatchEvent", "Message", "Pulse", "Seat", "new_slug"]
