"""Sentences about a person's standing on the site, in the active language."""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone
from django.utils.functional import lazy
from django.utils.translation import gettext as _

from accounts.models import Sanction


def sanction_text(sanction: Sanction) -> str:
    """Tell the person what, why and until when."""
    reason = {"reason": sanction.reason}
    muted = sanction.kind == Sanction.Kind.MUTE
    if sanction.until is None:
        if muted:
            return _("You are muted permanently: you can play, but not write. Reason: %(reason)s") % reason
        return _("You are suspended permanently and cannot play. Reason: %(reason)s") % reason
    until = {"until": moment_text(sanction.until)} | reason
    if muted:
        return _("You are muted until %(until)s: you can play, but not write. Reason: %(reason)s") % until
    return _("You are suspended until %(until)s and cannot play. Reason: %(reason)s") % until


sanction_text_late = lazy(sanction_text, str)
"""The same, made when it is read, in the reader's language."""


def moment_text(moment: datetime) -> str:
    """Write date, time and time zone."""
    local = timezone.localtime(moment)
    return f"{formats.date_format(local, 'DATETIME_FORMAT')} {local.tzname()}"
