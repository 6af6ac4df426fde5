"""Texts of moderation: the published figures, and the findings of detectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from accounts.models import ModerationAct
from accounts.sanctions.measures import FIGURE_LABELS
from games.enums import Detector

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Act = ModerationAct.Act

# Rows of the page of figures, by the act that they count.
FIGURE_ROWS: dict[str, _StrPromise] = {
    # Translators: these are rows of the public figures, numbers per month.
    "reports": _("Reports"),
    Act.UPHOLD: _("Cases upheld"),
    Act.DISMISS: _("Cases dismissed"),
    **FIGURE_LABELS,
    Act.REMOVE: _("Removed from a seat"),
    Act.HIDE: _("Messages hidden"),
    Act.SLOW_CHAT: _("Chats slowed"),
    Act.CLOSE_CHAT: _("Chats closed"),
    Act.STOP: _("Matches stopped"),
    Act.VOID: _("Matches declared void"),
    Act.SETTLE: _("Matches ended against a player"),
    Act.TAKE_RATINGS: _("Rating changes taken back"),
    Act.CANCEL_TOURNAMENT: _("Tournaments cancelled"),
    Act.REMOVE_ENTRY: _("Removed from a tournament"),
    Act.HIDE_NAME: _("Names of tournaments hidden"),
    Act.HIDE_CLUB_TEXT: _("Names and texts of clubs hidden"),
    Act.CLOSE_CLUB: _("Clubs closed"),
    Act.LIFT: _("Sanctions lifted"),
    Act.REJECT: _("Appeals rejected"),
    Act.RESTORE: _("Void matches that count again"),
    Act.GIVE_RATINGS: _("Rating changes given back"),
    Act.SHOW: _("Messages shown again"),
    Act.OPEN_CHAT: _("Chats opened again"),
    Act.REFUSE_REPORTS: _("Reporters refused for a week"),
    Act.TAKE_REPORTS: _("Reporters heard again"),
}

# The words of a report, by the detector that makes it.
FINDING_TEXTS: dict[str, _StrPromise] = {
    Detector.STALLING: _(
        "%(slow)d of %(turns)d turns took nearly all of their free time or more; %(others)d %% of the others’."
    ),
    Detector.FARMING: _(
        "Won %(won)d of %(met)d rated matches of a week against one person of this match; %(short)d of them "
        "were left by the other or over within a minute."
    ),
    Detector.FLOODS: _("Wrote too fast %(count)d times in a week, in different minutes."),
    Detector.NAMES: _("“%(name)s” is easily read as “%(other)s” (%(whose)s)."),
    Detector.THROWING: _(
        "Gave away %(given)d %% of what was at stake in %(decisions)d decisions, as the bot sees it; "
        "choosing blindly gives away %(blind)d %%. The step is the worst of them."
    ),
    Detector.PARTNERS: _(
        "In %(decisions)d decisions the moves of two partners fit the other’s hand better than the hands "
        "it could have been. The difference is %(measure).1f standard deviations. The step fits best. A good reader "
        "of the play comes nearer to that than chance: look at what they wrote, and at more matches."
    ),
}
OF_STAFF = _("of the staff")
OLDER_ACCOUNT = _("an older account")
