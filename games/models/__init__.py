"""The database models of matches, one module for each subject, without rules."""

from __future__ import annotations

from games.models.absence import Absence
from games.models.board_day import BoardDay
from games.models.case import Case, Report
from games.models.club import Club, ClubMember
from games.models.conduct_mark import ConductMark
from games.models.deal_statistics import DealStatistics
from games.models.invitation import Invitation
from games.models.match import SLUG_ALPHABET, Match, new_slug
from games.models.match_event import MatchEvent
from games.models.match_report import MatchReport
from games.models.message import Message
from games.models.muted_table import MutedTable
from games.models.open_data_month import OpenDataMonth
from games.models.operation import ServerProcess, SiteSwitches
from games.models.presence import Presence
from games.models.puzzle import Puzzle, PuzzleAttempt, PuzzleDay
from games.models.rating_change import RatingChange
from games.models.rating_points import RatingPoints
from games.models.seat import Seat
from games.models.site_heartbeat import SiteHeartbeat
from games.models.tournament import Entry, Tournament, TournamentEvent, TournamentTable
from games.models.uploaded_record import UploadedRecord

__all__ = [
    "SLUG_ALPHABET",
    "Absence",
    "BoardDay",
    "Case",
    "Club",
    "ClubMember",
    "ConductMark",
    "DealStatistics",
    "Entry",
    "Invitation",
    "Match",
    "MatchEvent",
    "MatchReport",
    "Message",
    "MutedTable",
    "OpenDataMonth",
    "Presence",
    "Puzzle",
    "PuzzleAttempt",
    "PuzzleDay",
    "RatingChange",
    "RatingPoints",
    "Report",
    "Seat",
    "ServerProcess",
    "SiteHeartbeat",
    "SiteSwitches",
    "Tournament",
    "TournamentEvent",
    "TournamentTable",
    "UploadedRecord",
    "new_slug",
]
