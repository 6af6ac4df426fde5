"""The queue of cases in the admin, and the page of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from django.views.decorators.http import require_POST

from accounts.models import User
from games.admin.matches import GameAdmin
from games.cases import queue
from games.cases.evidence import file_of
from games.models import Case
from infrastructure.admin import AdminAction, moment

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class Ranked(TypedDict):
    reports_made: int
    is_online: bool


def _uphold(*, moderator: User, rows: Sequence[Case], reason: str) -> None:
    for case in rows:
        queue.close(moderator=moderator, case=case, verdict=Case.Verdict.UPHELD, reason=reason, now=timezone.now())


def _dismiss(*, moderator: User, rows: Sequence[Case], reason: str) -> None:
    for case in rows:
        queue.close(moderator=moderator, case=case, verdict=Case.Verdict.DISMISSED, reason=reason, now=timezone.now())


def _is_open(moderator: User, case: Case) -> bool:
    return case.closed_at is None


DECIDING = ("games.decide_case",)
DECIDED = ngettext_lazy("Decided: %(count)d case.", "Decided: %(count)d cases.", "count")


@admin.register(Case)
class CaseAdmin(GameAdmin):
    """The queue of cases. The page of one is all that there is to read for its decision."""

    row_actions = (
        AdminAction("uphold", _("Uphold"), DECIDING, _uphold, DECIDED, applies=_is_open),
        AdminAction("dismiss", _("Dismiss"), DECIDING, _dismiss, DECIDED, applies=_is_open),
    )
    list_display = ("suspect", "area", "urgency", "reports_made", "online", "opened", "holder", "verdict")
    opened, closed = moment("opened_at", _("opened")), moment("closed_at", _("closed"))
    list_filter = ("area", "verdict")
    list_select_related = ("suspect", "holder")
    search_fields = ("suspect__username", "suspect__name")
    change_list_template = "admin/cases.html"
    change_form_template = "admin/case.html"
    fields = readonly_fields = ("suspect", "area", "opened", "closed", "verdict")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        cases: QuerySet[Case] = super().get_queryset(request)
        return queue.ranked(cases.filter(queue.visible_to(request.user.pk)), timezone.now())

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.next_view))
        return [path("next/", view, name="games_case_next"), *super().get_urls()]

    def next_view(self, request: HttpRequest) -> HttpResponse:
        """Give the moderator the next case, which nobody else can decide for a while."""
        if not request.user.has_perm("games.decide_case"):
            raise PermissionDenied
        case = queue.take_next(request.user.pk, timezone.now())
        if case is None:
            self.message_user(request, _("No case waits for you."), messages.SUCCESS)
            return redirect("admin:games_case_changelist")
        return redirect("admin:games_case_change", case.pk)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any
    ) -> HttpResponse:
        case: Case = options["obj"]
        context["file"] = file_of(case, timezone.now())
        return super().render_change_form(request, context, *args, **options)

    @admin.display(description=_("urgency"), ordering="score")
    def urgency(self, case: Case) -> str:
        return f"{case.score:.1f}"

    @admin.display(description=_("reports"))
    def reports_made(self, case: WithAnnotations[Case, Ranked]) -> int:
        return case.reports_made

    @admin.display(description=_("online"), boolean=True)
    def online(self, case: WithAnnotations[Case, Ranked]) -> bool:
        return case.is_online
