"""The measures that moderators can impose on people: names, texts, permissions and lengths.

Models, forms, the log, roles, figures and notices use this table. A new measure needs a row here and code that
enforces it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as Text

# A warning stays in force this long. The person can appeal against it until then.
WARNING_LENGTH = timedelta(days=90)


class Kind(TextChoices):
    WARNING = "warn", _("warned")
    MUTE = "mute", _("muted")
    PAUSE = "pause", _("paused from rated play")
    SUSPENSION = "suspend", _("suspended")
    RENAMING = "rename", _("renamed")
    CLOSURE = "close", _("account closed")


class Scope(TextChoices):
    """The chats in which a muted person cannot write."""

    EVERYWHERE = "", _("everywhere")
    SPECTATORS = "spectators", _("where they only watch")
    TABLE = "table", _("at one table and its rematches")


class Length(Enum):
    """How long a sanction without a fixed length lasts: as long as the moderator chooses, or until it is lifted."""

    CHOSEN = auto()
    UNTIL_LIFTED = auto()


# Moderators can choose one of these, a date or no end.
CHOSEN_LENGTHS = {
    "hour": (_("one hour"), timedelta(hours=1)),
    "day": (_("one day"), timedelta(days=1)),
    "week": (_("one week"), timedelta(weeks=1)),
    "month": (_("thirty days"), timedelta(days=30)),
}


class Role(Enum):
    """The lowest role that may impose a measure. The roles above it may impose it, too."""

    CHAT_MODERATOR = auto()
    MATCH_MODERATOR = auto()


class Notice(NamedTuple):
    """The text for the person, for a temporary and for a permanent sanction."""

    until: Text
    permanent: Text


@dataclass(frozen=True, slots=True)
class Measure:
    """The texts of a measure: for the decision form, the log, the published figures, and notices by scope.

    ``permission`` is a codename and its description. If the description is empty, another measure defines it.
    """

    form_label: Text
    log_label: Text
    figure_label: Text
    permission: tuple[str, str]
    role: Role
    notices: Mapping[str, Notice]
    length: Length | timedelta = Length.CHOSEN
    has_scope: bool = False
    suspends: bool = False  # the person cannot play, and can only manage the account


def _same_notice_for_any_duration(text: Text) -> dict[str, Notice]:
    return {"": Notice(text, text)}


MEASURES: Mapping[Kind, Measure] = {
    Kind.WARNING: Measure(
        form_label=_("Warn: every page shows them the reason"),
        log_label=_("warned"),
        figure_label=_("Warnings"),
        permission=("mute", ""),
        role=Role.CHAT_MODERATOR,
        notices=_same_notice_for_any_duration(_("A moderator warns you: %(reason)s")),
        length=WARNING_LENGTH,
    ),
    Kind.MUTE: Measure(
        form_label=_("Mute: they can play, but not write"),
        log_label=_("muted"),
        figure_label=_("Mutes"),
        permission=("mute", "Can mute a person"),
        role=Role.CHAT_MODERATOR,
        notices={
            Scope.EVERYWHERE: Notice(
                _("You are muted until %(until)s: you can play, but not write. Reason: %(reason)s"),
                _("You are permanently muted: you can play, but not write. Reason: %(reason)s"),
            ),
            Scope.SPECTATORS: Notice(
                _(
                    "You are muted until %(until)s at tables you only watch. You can write where you play. "
                    "Reason: %(reason)s"
                ),
                _(
                    "You are permanently muted at tables you only watch. You can write where you play. "
                    "Reason: %(reason)s"
                ),
            ),
            Scope.TABLE: Notice(
                _("You are muted at one table and its rematches until %(until)s. Reason: %(reason)s"),
                _("You are permanently muted at one table and its rematches. Reason: %(reason)s"),
            ),
        },
        has_scope=True,
    ),
    Kind.PAUSE: Measure(
        form_label=_("Pause from rated play: they can play casual matches"),
        log_label=_("paused from rated play"),
        figure_label=_("Pauses from rated play"),
        permission=("pause", "Can pause a person from rated play"),
        role=Role.MATCH_MODERATOR,
        notices={
            "": Notice(
                _("Rated play is paused for you until %(until)s. You can play casual matches. Reason: %(reason)s"),
                _("You can no longer play rated matches. You can still play casual matches. Reason: %(reason)s"),
            )
        },
    ),
    Kind.SUSPENSION: Measure(
        form_label=_("Suspend: they cannot play"),
        log_label=_("suspended"),
        figure_label=_("Suspensions"),
        permission=("suspend", "Can suspend a person"),
        role=Role.MATCH_MODERATOR,
        notices={
            "": Notice(
                _("You are suspended until %(until)s and cannot play. Reason: %(reason)s"),
                _("You are permanently suspended and cannot play. Reason: %(reason)s"),
            )
        },
        suspends=True,
    ),
    Kind.RENAMING: Measure(
        form_label=_("Remove the name: they get a neutral one and can choose another"),
        log_label=_("renamed a person"),
        figure_label=_("Names taken away"),
        permission=("rename", "Can rename a person"),
        role=Role.CHAT_MODERATOR,
        notices=_same_notice_for_any_duration(
            _(
                "You can no longer be called %(former)s. Your name is now %(given)s; you can choose another in the "
                "settings. Reason: %(reason)s"
            )
        ),
        length=Length.UNTIL_LIFTED,
    ),
    Kind.CLOSURE: Measure(
        form_label=_("Close the account: they can only read why, and appeal"),
        log_label=_("closed an account"),
        figure_label=_("Accounts closed"),
        permission=("close", "Can close an account"),
        role=Role.MATCH_MODERATOR,
        notices=_same_notice_for_any_duration(_("A moderator has closed your account. Reason: %(reason)s")),
        length=Length.UNTIL_LIFTED,
        suspends=True,
    ),
}
SUSPENDING_KINDS = tuple(kind for kind, measure in MEASURES.items() if measure.suspends)
ACT_CHOICES = [(kind.value, measure.log_label) for kind, measure in MEASURES.items()]
FORM_CHOICES = [(kind.value, measure.form_label) for kind, measure in MEASURES.items()]
FIGURE_LABELS = {kind.value: measure.figure_label for kind, measure in MEASURES.items()}
PERMISSIONS = [measure.permission for measure in MEASURES.values() if measure.permission[1]]


def role_permissions(role: Role) -> Iterator[str]:
    """Yield the codenames of the permissions that a role has beyond the roles below it."""
    return (measure.permission[0] for measure in MEASURES.values() if measure.role == role)
