"""Sentences about a person's standing on the site, in the active language."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import notices
from accounts.models import Appeal, Sanction
from accounts.notices import Facts, Kind
from accounts.sanctions.reasons import reason_text
from infrastructure.moments import moment_text

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise

MUTE = Sanction.Kind.MUTE


class Said(NamedTuple):
    """A sanction in words, if it lasts until a moment, and if it does for good."""

    until: Text
    for_good: Text


SAID: dict[tuple[str, str], Said] = {
    (Sanction.Kind.WARNING, ""): Said(WARNED := gettext_lazy("A moderator warns you: %(reason)s"), WARNED),
    (MUTE, Sanction.Scope.EVERYWHERE): Said(
        gettext_lazy("You are muted until %(until)s: you can play, but not write. Reason: %(reason)s"),
        gettext_lazy("You are muted permanently: you can play, but not write. Reason: %(reason)s"),
    ),
    (MUTE, Sanction.Scope.SPECTATORS): Said(
        gettext_lazy(
            "You are muted until %(until)s where you only watch: you can write at tables you play at. "
            "Reason: %(reason)s"
        ),
        gettext_lazy(
            "You are muted permanently where you only watch: you can write at tables you play at. Reason: %(reason)s"
        ),
    ),
    (MUTE, Sanction.Scope.TABLE): Said(
        gettext_lazy("You are muted at one table and its rematches until %(until)s. Reason: %(reason)s"),
        gettext_lazy("You are muted at one table and its rematches permanently. Reason: %(reason)s"),
    ),
    (Sanction.Kind.PAUSE, ""): Said(
        gettext_lazy("Rated play is paused for you until %(until)s; casual play stays open. Reason: %(reason)s"),
        gettext_lazy("Rated play is paused for you permanently; casual play stays open. Reason: %(reason)s"),
    ),
    (Sanction.Kind.SUSPENSION, ""): Said(
        gettext_lazy("You are suspended until %(until)s and cannot play. Reason: %(reason)s"),
        gettext_lazy("You are suspended permanently and cannot play. Reason: %(reason)s"),
    ),
    (Sanction.Kind.CLOSURE, ""): Said(
        CLOSED := gettext_lazy("A moderator has closed your account. Reason: %(reason)s"), CLOSED
    ),
    (Sanction.Kind.RENAMING, ""): Said(
        RENAMED := gettext_lazy(
            "You can no longer be called %(former)s. You were given the name %(given)s, and can choose another in "
            "your settings. Reason: %(reason)s"
        ),
        RENAMED,
    ),
}


def sanction_text(sanction: Sanction) -> str:
    """Tell the person what, why and until when."""
    said = SAID[sanction.kind, sanction.scope]
    told: dict[str, str] = sanction.facts | {"reason": reason_text(sanction.reason)}
    if sanction.until is None:
        return str(said.for_good) % told
    return str(said.until) % (told | {"until": moment_text(sanction.until)})


def sanction_notice(facts: Facts) -> str | None:
    """Say the facts of a sanction, nothing once it is lifted."""
    if Sanction.objects.filter(pk=facts["sanction"], lifted_at__isnull=False).exists():
        return None
    until = datetime.fromisoformat(facts["until"]) if facts["until"] else None
    fields = {name: facts[name] for name in ("kind", "scope", "facts", "reason")}
    return sanction_text(Sanction(until=until, **fields))


def appeal_notice(facts: Facts) -> str:
    """Say what came of an appeal, and why."""
    said = {
        Appeal.Verdict.GRANTED: _("Your appeal was granted: the sanction is lifted. %(reason)s"),
        Appeal.Verdict.REJECTED: _("Your appeal was rejected. Reason: %(reason)s"),
    }
    return said[facts["verdict"]] % facts


notices.register("sanction", Kind(sanction_notice, link=gettext_lazy("Decisions and appeal")))
notices.register("appeal", Kind(appeal_notice))
sanction_text_late = lazy(sanction_text, str)
"""The same, made when it is read, in the reader's language."""
