"""Appeals are decided on the page of the case from which the sanction came, next to the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.admin import AppealAdmin
from accounts.models import Appeal, ModerationAct, Sanction
from games.models import Case
from games.moderation.cases import parties
from games.moderation.cases.queue import cases_visible_to
from infrastructure.admin import RowActionForm

CASE_PREFIX, SANCTION_PREFIX = "case:", "sanction:"
admin.site.unregister(Appeal)


@dataclass(frozen=True, slots=True)
class CaseAppeal:
    """An appeal against a sanction of a case, and the form to decide it if this moderator may."""

    appeal: Appeal
    form: RowActionForm | None


@admin.register(Appeal)
class CaseAppealAdmin(AppealAdmin):
    """An appeal opens the page of its case. It has a page of its own without a case, or if the case is hidden."""

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        appeal: Appeal | None = self.get_object(request, unquote(object_id))
        if appeal and request.method == "GET" and self.has_view_permission(request, appeal):
            case = case_of_sanction(appeal.sanction)
            if case and Case.objects.filter(cases_visible_to(request.user.pk), pk=case.pk).exists():
                return redirect("admin:games_case_change", case.pk)
        return super().change_view(request, object_id, form_url, extra_context)

    def row_action_form(self, request: HttpRequest, row: Model) -> RowActionForm | None:
        """Return no form to the people whom the case concerns."""
        case = case_of_sanction(cast("Appeal", row).sanction)
        if case and request.user.pk in parties.people_of_case(case):
            return None
        return super().row_action_form(request, row)


def case_of_sanction(sanction: Sanction) -> Case | None:
    """Return the case in which a sanction was imposed."""
    acts = ModerationAct.objects.filter(target=f"{SANCTION_PREFIX}{sanction.pk}", evidence__startswith=CASE_PREFIX)
    evidence = acts.values_list("evidence", flat=True).first()
    return Case.objects.filter(pk=evidence.removeprefix(CASE_PREFIX)).first() if evidence else None


def appeals_of_case(case: Case, request: HttpRequest) -> Sequence[CaseAppeal]:
    """Return the appeals against the sanctions of a case, with forms for those that this moderator may decide."""
    pages = appeal_pages()
    if not pages.has_view_permission(request):
        return []
    acts = ModerationAct.objects.filter(evidence=f"{CASE_PREFIX}{case.pk}", target__startswith=SANCTION_PREFIX)
    sanctions = {int(target.removeprefix(SANCTION_PREFIX)) for target in acts.values_list("target", flat=True)}
    rows = Appeal.objects.filter(sanction__in=sanctions).order_by("pk")
    rows = rows.select_related("sanction__user", "sanction__moderator", "moderator")
    return [CaseAppeal(appeal, pages.row_action_form(request, appeal)) for appeal in rows]


def appeal_pages() -> CaseAppealAdmin:
    return cast("CaseAppealAdmin", admin.site.get_model_admin(Appeal))
