"""Sentences about sanctions and appeals, in the active language."""

from __future__ import annotations

from datetime import datetime

from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import notices
from accounts.models import Appeal, Sanction
from accounts.notices import Details, NoticeKind
from accounts.sanctions.measures import MEASURES
from accounts.sanctions.reasons import reason_text
from infrastructure.moments import moment_text


def sanction_text(sanction: Sanction) -> str:
    """Return what the sanction is, why, and until when."""
    notice = MEASURES[Sanction.Kind(sanction.kind)].notices[sanction.scope]
    fields: dict[str, str] = sanction.facts | {"reason": reason_text(sanction.reason)}
    if sanction.until is None:
        return str(notice.permanent) % fields
    return str(notice.until) % (fields | {"until": moment_text(sanction.until)})


def sanction_notice(details: Details) -> str | None:
    """Return the text of a notice about a sanction, None once it is lifted."""
    if Sanction.objects.filter(pk=details["sanction"], lifted_at__isnull=False).exists():
        return None
    until = datetime.fromisoformat(details["until"]) if details["until"] else None
    fields = {name: details[name] for name in ("kind", "scope", "facts", "reason")}
    return sanction_text(Sanction(until=until, **fields))


def appeal_answer_text(sanction: Sanction) -> str:
    """Return the decision about the appeal, "" if there is none."""
    appeal: Appeal | None = getattr(sanction, "appeal", None)
    return appeal_notice({"verdict": appeal.verdict, "reason": appeal.answer}) if appeal and appeal.verdict else ""


def appeal_notice(details: Details) -> str:
    """Return the text of a notice about a decided appeal."""
    texts = {
        Appeal.Verdict.GRANTED: _("Your appeal was granted, and the sanction is lifted. Reason: %(reason)s"),
        Appeal.Verdict.REJECTED: _("Your appeal was rejected. Reason: %(reason)s"),
    }
    return texts[details["verdict"]] % {"reason": reason_text(details["reason"])}


notices.register_kind("sanction", NoticeKind(sanction_notice, link_label=gettext_lazy("Decisions and appeal")))
notices.register_kind("appeal", NoticeKind(appeal_notice))
# Evaluated lazily, in the reader's language.
lazy_sanction_text = lazy(sanction_text, str)
