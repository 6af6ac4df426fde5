"""Texts about conduct and absences, in the active language."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.conduct.balance import (
    PAUSE_THRESHOLD_POINTS,
    ConductStanding,
    LedgerEntry,
    pause_length,
    standing_with_entry,
)
from games.enums import ConductKind, SeatState
from infrastructure.moments import moment_text

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
CONDUCT_TEXTS: dict[str, _StrPromise] = {
    # Translators: lines of a person's own ledger; use a noun if the verb would show a gender.
    ConductKind.LATE: gettext_lazy("Your time was up, and the clock moved for you."),
    ConductKind.HELD: gettext_lazy("You were away, and a bot took over."),
    ConductKind.FORFEITED: gettext_lazy("You were out: away too often, or out of time where that ends the match."),
    ConductKind.LEFT: gettext_lazy("You left a match."),
    ConductKind.STOOD_UP: gettext_lazy("You left a seat before the deal."),
    ConductKind.FLOOD: gettext_lazy("You wrote too fast."),
    ConductKind.CLEAN: gettext_lazy("You played a match to its end."),
}
PRICED_CONDUCT: dict[str, _StrPromise] = {
    ConductKind.LATE: gettext_lazy("Your time is up, and the clock moves for you"),
    ConductKind.HELD: gettext_lazy("You are away, and a bot takes over"),
    ConductKind.FORFEITED: gettext_lazy(
        "A bot takes your seat for the third time in a match, or you lose a match on time"
    ),
    ConductKind.LEFT: gettext_lazy("You leave a match that is running"),
    ConductKind.STOOD_UP: gettext_lazy(
        "You leave a seat before the deal, for the third time within an hour; quick games never count"
    ),
    ConductKind.FLOOD: gettext_lazy("You write too fast in the chat, again within an hour of a warning"),
}
AWAY_QUESTION = gettext_lazy("Why was I away?")
LOST_QUESTION = gettext_lazy("Why did I lose on time?")
ABSENCE_CONSEQUENCES: dict[str, _StrPromise] = {
    SeatState.LATE: gettext_lazy("The clock made a move for you"),
    SeatState.HELD: gettext_lazy("A bot took over"),
    SeatState.FORFEITED: gettext_lazy("You were away once too often"),
    "": gettext_lazy("You lost on time"),
}
ABSENCE_REASONS: dict[str, _StrPromise] = {
    "gone": gettext_lazy("It was your turn, and for 30 seconds no page of yours was connected."),
    "timeout": gettext_lazy("Your time for the move was up."),
}
LAST_SEEN = gettext_lazy("Last contact with your page")
TURN_STARTED = gettext_lazy("Your turn began")
CONNECTION_CLOSED = gettext_lazy("Your last connection was closed")
DEADLINE_AHEAD = gettext_lazy("Your time would have been up")
DEADLINE_PASSED = gettext_lazy("Your time was up")


def pause_text(standing: ConductStanding) -> str:
    """Return until when and why rated play is paused."""
    if standing.paused_until is None or standing.cause is None:
        return ""
    details = {"until": moment_text(standing.paused_until), "cause": CONDUCT_TEXTS[standing.cause.kind]}
    return _("Rated play is paused for you until %(until)s. You can play casual matches. Reason: %(cause)s") % details


def price_text(standing: ConductStanding, points: int, now: datetime) -> str:
    """Return what an act costs now."""
    costs = ngettext("Costs %(count)d conduct point.", "Costs %(count)d conduct points.", points) % {"count": points}
    standing_after = standing_with_entry(standing, LedgerEntry(now, points))
    details: dict[str, object] = {
        "points": standing.points,
        "then": standing_after.points,
        "threshold": PAUSE_THRESHOLD_POINTS,
    }
    if standing_after.points >= PAUSE_THRESHOLD_POINTS:
        details["length"] = duration_text(pause_length(standing_after.pause_count - 1))
        effect = _("That makes %(then)d and pauses rated play for %(length)s.")
    else:
        details["length"] = duration_text(pause_length(standing.pause_count))
        effect = _("You have %(points)d; at %(threshold)d, rated play is paused for %(length)s.")
    return f"{costs} {effect % details}"


def duration_text(length: timedelta) -> str:
    """Return a length of time: ``10 minutes``, ``2 h 40 min``."""
    hours, rest = divmod(length, HOUR)
    minutes = rest // MINUTE
    if not hours:
        return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    if not minutes:
        return _("%(count)d h") % {"count": hours}
    return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}


def flood_text(points: int, *, charged: bool) -> str:
    """Return what writing too fast has cost, or will cost next time."""
    if charged:
        text = ngettext("This cost %(count)d conduct point.", "This cost %(count)d conduct points.", points)
    else:
        text = ngettext(
            "The next time within an hour costs %(count)d conduct point.",
            "The next time within an hour costs %(count)d conduct points.",
            points,
        )
    return text % {"count": points}
