"""Choices that models, services and pages share."""

from __future__ import annotations

from enum import StrEnum

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Status(TextChoices):
    """The status of a match."""

    OPEN = "open", pgettext_lazy("status of a match", "open")
    RUNNING = "running", pgettext_lazy("status of a match", "running")
    FINISHED = "finished", pgettext_lazy("status of a match", "finished")
    STOPPED = "stopped", pgettext_lazy("status of a match", "stopped")
    VOID = "void", pgettext_lazy("status of a match", "void")


UNFINISHED_STATUSES = (Status.OPEN, Status.RUNNING)


class Clock(TextChoices):
    """The time controls by name. ``games.match.time_control`` has their times."""

    FAST = "fast", pgettext_lazy("clock of a match", "fast")
    NORMAL = "normal", pgettext_lazy("clock of a match", "normal")
    RELAXED = "relaxed", pgettext_lazy("clock of a match", "relaxed")
    ONE_DAY = "1-day", _("a day a move")
    TWO_DAYS = "2-days", _("two days a move")
    THREE_DAYS = "3-days", _("three days a move")
    NONE = "none", _("no clock")


DAILY_CLOCKS = (Clock.ONE_DAY, Clock.TWO_DAYS, Clock.THREE_DAYS)  # players need not be online at the same time


class Visibility(TextChoices):
    PUBLIC = "public", pgettext_lazy("visibility of a table", "public")
    LINK = "link", _("unlisted")


class Delay(TextChoices):
    """The delay with which spectators see a match."""

    NONE = "none", pgettext_lazy("delay for spectators", "live")
    SHORT = "30", pgettext_lazy("delay for spectators", "30 seconds")
    LONG = "120", pgettext_lazy("delay for spectators", "2 minutes")
    ROUND = "round", pgettext_lazy("delay for spectators", "one round")
    OPEN = "open", pgettext_lazy("delay for spectators", "one round, all hands open")
    BOARD = "board", pgettext_lazy("delay for spectators", "until the board closes")  # no host can choose it


class AbsencePolicy(TextChoices):
    """The consequence when a player runs out of time or leaves."""

    HOLD = "hold", _("a bot plays on")
    FORFEIT = "forfeit", _("the match ends")


class ChatPolicy(TextChoices):
    """The messages that the players of a table may write to each other."""

    FREE = "free", _("free text")
    PRESET_PHRASES = "phrases", _("preset phrases only")


class ChatLimit(TextChoices):
    """How the chats of a table and its rematches are limited. ``games.chat.limits`` has the rules."""

    NONE = "", pgettext_lazy("limit of a chat", "open")
    RAID = "raid", pgettext_lazy("limit of a chat", "slow for spectators after a raid")
    SLOW = "slow", pgettext_lazy("limit of a chat", "slow")
    CLOSED = "closed", pgettext_lazy("limit of a chat", "closed")


class SeatState(TextChoices):
    """The state of the person in a seat. Only ``ACTIVE`` and ``LATE`` people make their own moves."""

    ACTIVE = "active", pgettext_lazy("state of a seat", "plays")
    LATE = "late", pgettext_lazy("state of a seat", "late")
    HELD = "held", pgettext_lazy("state of a seat", "a bot stands in")
    FORFEITED = "forfeited", pgettext_lazy("state of a seat", "out")


class BotLevel(TextChoices):
    """The strength of a bot, from the weakest to the strongest. ``games.bots.levels`` has the settings."""

    BEGINNER = "beginner", pgettext_lazy("level of a bot", "Beginner")
    CASUAL = "casual", pgettext_lazy("level of a bot", "Casual")
    STEADY = "steady", pgettext_lazy("level of a bot", "Steady")
    STRONG = "strong", pgettext_lazy("level of a bot", "Strong")
    MASTER = "master", pgettext_lazy("level of a bot", "Master")


DEFAULT_BOT_LEVEL = BotLevel.STEADY  # of bots without a chosen level, and of bots that stand in for a person


class Vote(TextChoices):
    """A player's vote while others are absent."""

    BOT = "bot", pgettext_lazy("a player’s vote", "go on with the bot")
    WAIT = "wait", pgettext_lazy("a player’s vote", "wait")
    STOP = "stop", pgettext_lazy("a player’s vote", "stop the match")


class Due(TextChoices):
    """The next thing that happens to a match when its deadline passes."""

    NOTHING = "", pgettext_lazy("next event in a match", "nothing")
    BOT = "bot", pgettext_lazy("next event in a match", "bot's move")
    PASS = "pass", pgettext_lazy("next event in a match", "forced pass")
    TIMEOUT = "timeout", pgettext_lazy("next event in a match", "time is up")
    ROUND = "round", pgettext_lazy("next event in a match", "next round")
    HOLD = "hold", pgettext_lazy("next event in a match", "the others choose how to go on")
    ABANDON = "abandon", pgettext_lazy("next event in a match", "empty table")
    FILL = "fill", pgettext_lazy("next event in a match", "fill with bots")
    COMMIT = "commit", pgettext_lazy("next event in a match", "the players commit to their nonces")
    REVEAL = "reveal", pgettext_lazy("next event in a match", "the players open their nonces")
    DISCLOSE_END = "shown", pgettext_lazy("next event in a match", "end shown to spectators")


START_STAGES = (Due.COMMIT, Due.REVEAL)


class NoPointsReason(TextChoices):
    """The reason why a seat gains no rating points in a rated match."""

    NONE = "", pgettext_lazy("why a seat gains no rating points", "everybody gains")
    NO_WHOLE_ROUND = "early", pgettext_lazy("why a seat gains no rating points", "no whole round was played")
    TOO_FEW_PEOPLE = "people", pgettext_lazy("why a seat gains no rating points", "fewer than two accounts")
    SAME_ADDRESS = "address", pgettext_lazy("why a seat gains no rating points", "one network address")
    TOO_OFTEN = "often", pgettext_lazy("why a seat gains no rating points", "the same people too often in a day")
    GUESTS = "guests", pgettext_lazy("why a seat gains no rating points", "guests gain none")
    TAKEN_BACK = "taken", pgettext_lazy("why a seat gains no rating points", "a moderator took them back")


class Outcome(TextChoices):
    """The outcome of a match for a seat."""

    WON = "won", pgettext_lazy("result of a match", "won")
    LOST = "lost", pgettext_lazy("result of a match", "lost")
    LEFT = "left", pgettext_lazy("result of a match", "left")
    TIMEOUT = "timeout", pgettext_lazy("result of a match", "ran out of time")
    STOPPED = "stopped", pgettext_lazy("result of a match", "stopped")


class RematchAnswer(TextChoices):
    """A player's answer to a rematch after the match."""

    OFFERED = "offered", pgettext_lazy("answer to a rematch", "offered")
    ACCEPTED = "accepted", pgettext_lazy("answer to a rematch", "accepted")
    DECLINED = "declined", pgettext_lazy("answer to a rematch", "declined")


class ConductKind(TextChoices):
    """The reason why conduct points are added or removed."""

    LATE = "late", pgettext_lazy("conduct of a player", "late")
    HELD = "held", pgettext_lazy("conduct of a player", "away")
    FORFEITED = "forfeited", _("away for good")
    LEFT = "left", _("left the match")
    STOOD_UP = "stood_up", _("left a seat before the deal")
    FLOOD = "flood", _("wrote too fast")
    CLEAN = "clean", _("played to the end")


class CaseArea(TextChoices):
    """The subject of a case."""

    CONDUCT = "conduct", pgettext_lazy("subject of a case", "conduct at the table")
    CHAT = "chat", pgettext_lazy("subject of a case", "chat")
    FAIR_PLAY = "fair_play", pgettext_lazy("subject of a case", "fair play")
    ACCOUNTS = "accounts", pgettext_lazy("subject of a case", "names and accounts")


class ReportReason(TextChoices):
    """The reason for a report."""

    # Translators: what a reported person does; the person's gender is unknown
    STALLS = "stalls", _("Keeps the others waiting, or leaves")
    INSULTS = "insults", _("Insults or threatens")
    SPAMS = "spams", _("Advertises or floods the chat")
    THROWS = "throws", _("Loses on purpose")
    COLLUDES = "colludes", _("Plays together with somebody at the table")
    ASSISTED = "assisted", _("Gets help during the match")
    NAME = "name", _("Has an offensive name, or that of somebody else")
    SEVERAL = "several", _("Plays under several names")
    BY_HAND = "by_hand", _("Opened by a moderator")


class VerdictOnly(TextChoices):
    """Decisions about the person of a case without a measure (``accounts.sanctions.measures``)."""

    DISMISS = "dismiss", _("Dismiss: nothing happened")
    UPHOLD = "uphold", _("Uphold without a measure")


class MatchCorrection(TextChoices):
    """The decision about the matches of a case."""

    NONE = "", _("They stay as they are")
    REMOVE = "remove", _("Take the person from their seats")
    SETTLE = "settle", _("End those that still run against the person")
    STOP = "stop", _("Stop those that are not over, without a result")
    VOID = "void", _("Declare them void")
    RATINGS = (
        "ratings",
        _("Take back what they did to ratings; their results stay"),
    )
    SLOW_CHAT = "slow_chat", _("Slow their chats: a line every 20 seconds, none by new spectators")
    CLOSE_CHAT = "close_chat", _("Close their chats")


class Detector(TextChoices):
    """Automatic measurements of finished matches."""

    STALLING = "stalling", pgettext_lazy("finding of a detector", "slow turns")
    FARMING = "farming", pgettext_lazy("finding of a detector", "matches that are given away")
    NAMES = "names", pgettext_lazy("finding of a detector", "names alike")
    FLOODS = "floods", pgettext_lazy("finding of a detector", "floods in the chat")
    THROWING = "throwing", pgettext_lazy("finding of a detector", "choices that lose")
    RAID = "raid", pgettext_lazy("finding of a detector", "raid of a chat")
    PARTNERS = "partners", pgettext_lazy("finding of a detector", "partners who know each other’s hands")


class Verdict(TextChoices):
    """The result of a case."""

    UPHELD = "upheld", pgettext_lazy("result of a report", "upheld")
    DISMISSED = "dismissed", pgettext_lazy("result of a report", "dismissed")


class ChatRoom(TextChoices):
    """The place of a chat line."""

    TABLE = "table", pgettext_lazy("place of a chat line", "table")
    SPECTATORS = "spectators", pgettext_lazy("place of a chat line", "spectators")
    REVIEW = "review", pgettext_lazy("place of a chat line", "review")


class TournamentFormat(StrEnum):
    """How a tournament pairs its entrants: those who wait, round by round, or round by round on the same deals."""

    ARENA = "arena"
    SWISS = "swiss"
    DUPLICATE = "duplicate"


class TournamentStage(StrEnum):
    """How far a tournament is."""

    ANNOUNCED = "announced"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


UNFINISHED_TOURNAMENTS = (TournamentStage.ANNOUNCED, TournamentStage.RUNNING)


class EntryStatus(StrEnum):
    """How far a person's entry is: it waits for the host, for a partner, or it counts; or the person has left."""

    ASKED = "asked"
    SEEKING = "seeking"
    ENTERED = "entered"
    GONE = "gone"


class ClubStatus(StrEnum):
    """The status of a person in a club. ``ASKED`` waits for a leader, ``REMOVED`` may not join again."""

    ASKED = "asked"
    MEMBER = "member"
    LEADER = "leader"
    REMOVED = "removed"


class TournamentTableStage(StrEnum):
    """How far a table of a tournament is. ``OVER`` has a result or, in an arena, took too long."""

    PAIRED = "paired"
    PLAYING = "playing"
    OVER = "over"


class NextStep(StrEnum):
    """The next step of a side after its table of a tournament. ``OUT``: it has no further table."""

    WAITS = "waits"
    PAUSED = "paused"
    PLAYS = "plays"
    OUT = "out"


class Occupant(StrEnum):
    """The kind of player in a seat."""

    HUMAN = "human"
    BOT = "bot"
    EMPTY = "empty"
