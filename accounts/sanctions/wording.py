"""Sentences about a person's standing on the site, in the active language."""

from __future__ import annotations

from datetime import datetime

from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import notices
from accounts.models import Appeal, Sanction
from accounts.notices import Details, Kind
from accounts.sanctions.measures import MEASURES
from accounts.sanctions.reasons import reason_text
from infrastructure.moments import moment_text


def sanction_text(sanction: Sanction) -> str:
    """Tell the person what, why and until when."""
    notice = MEASURES[Sanction.Kind(sanction.kind)].notices[sanction.scope]
    fields: dict[str, str] = sanction.facts | {"reason": reason_text(sanction.reason)}
    if sanction.until is None:
        return str(notice.permanent) % fields
    return str(notice.until) % (fields | {"until": moment_text(sanction.until)})


def sanction_notice(facts: Details) -> str | None:
    """Say the facts of a sanction, nothing once it is lifted."""
    if Sanction.objects.filter(pk=facts["sanction"], lifted_at__isnull=False).exists():
        return None
    until = datetime.fromisoformat(facts["until"]) if facts["until"] else None
    fields = {name: facts[name] for name in ("kind", "scope", "facts", "reason")}
    return sanction_text(Sanction(until=until, **fields))


def appeal_notice(facts: Details) -> str:
    """Say what came of an appeal, and why."""
    texts = {
        Appeal.Verdict.GRANTED: _("Your appeal was granted: the sanction is lifted. %(reason)s"),
        Appeal.Verdict.REJECTED: _("Your appeal was rejected. Reason: %(reason)s"),
    }
    return texts[facts["verdict"]] % facts


notices.register("sanction", Kind(sanction_notice, link=gettext_lazy("Decisions and appeal")))
notices.register("appeal", Kind(appeal_notice))
# The same, made when it is read, in the reader's language.
sanction_text_late = lazy(sanction_text, str)
