"""Sentences about a person's standing on the site, in the active language."""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import notices
from accounts.models import Appeal, Sanction
from accounts.notices import Facts, Kind
from accounts.reasons import reason_text


def sanction_text(sanction: Sanction) -> str:
    """Tell the person what, why and until when."""
    reason = {"reason": reason_text(sanction.reason)}
    muted = sanction.kind == Sanction.Kind.MUTE
    if sanction.until is None:
        if muted:
            return _("You are muted permanently: you can play, but not write. Reason: %(reason)s") % reason
        return _("You are suspended permanently and cannot play. Reason: %(reason)s") % reason
    until = {"until": moment_text(sanction.until)} | reason
    if muted:
        return _("You are muted until %(until)s: you can play, but not write. Reason: %(reason)s") % until
    return _("You are suspended until %(until)s and cannot play. Reason: %(reason)s") % until


def sanction_notice(facts: Facts) -> str:
    """Say the facts of a sanction."""
    until = datetime.fromisoformat(facts["until"]) if facts["until"] else None
    return sanction_text(Sanction(kind=facts["kind"], reason=facts["reason"], until=until))


def warning_notice(facts: Facts) -> str:
    """Say for what a moderator warns the person."""
    return _("A moderator warns you: %(reason)s") % {"reason": reason_text(facts["reason"])}


def appeal_notice(facts: Facts) -> str:
    """Say what came of an appeal, and why."""
    said = {
        Appeal.Verdict.GRANTED: _("Your appeal was granted: the sanction is lifted. %(reason)s"),
        Appeal.Verdict.REJECTED: _("Your appeal was rejected. Reason: %(reason)s"),
    }
    return said[facts["verdict"]] % facts


notices.register("sanction", Kind(sanction_notice, link=gettext_lazy("Decisions and appeal")))
notices.register("warning", Kind(warning_notice))
notices.register("appeal", Kind(appeal_notice))
sanction_text_late = lazy(sanction_text, str)
"""The same, made when it is read, in the reader's language."""


def moment_text(moment: datetime) -> str:
    """Write date, time and time zone."""
    local = timezone.localtime(moment)
    return f"{formats.date_format(local, 'DATETIME_FORMAT')} {local.tzname()}"
