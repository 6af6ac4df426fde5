"""Rating points, invitations and conduct ledgers in the admin, read-only."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.admin import UserAdmin
from games.models import Case, ConductMark, Invitation, RatingPoints, Report
from games.moderation.admin.matches import MATCH_COLUMN, TIME_COLUMN, USER_COLUMN, MatchPartAdmin
from games.moderation.cases.queue import cases_visible_to
from infrastructure.admin import HistoryAdmin, HistoryInline


class RatingPointsInline(HistoryInline):
    model = RatingPoints
    fields = readonly_fields = ("variant", "points", "matches")


class ReportsMadeInline(HistoryInline):
    """The reports that a person made, in cases that the moderator may see."""

    model = Report
    fk_name = "reporter"
    fields = readonly_fields = ("time", "reason", "about", "verdict", "words")
    time = TIME_COLUMN
    ordering = ("-pk",)
    verbose_name_plural = _("reports made")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        reports: QuerySet[Report] = super().get_queryset(request)
        cases = Case.objects.filter(cases_visible_to(request.user.pk))
        return reports.filter(case__in=cases).select_related("case__suspect")

    @admin.display(description=_("case"))
    def about(self, report: Report) -> str:
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:games_case_change", args=[report.case_id]), report.case
        )

    @admin.display(description=_("verdict"))
    def verdict(self, report: Report) -> str:
        return str(report.case.get_verdict_display() or _("open"))


UserAdmin.inlines = (RatingPointsInline, ReportsMadeInline, *UserAdmin.inlines)


@admin.register(RatingPoints)
class RatingPointsAdmin(HistoryAdmin):
    list_display = ("variant", USER_COLUMN, "points", "matches")
    list_filter = ("variant",)
    list_select_related = ("user",)
    search_fields = ("user__username", "user__name")
    ordering = ("-points", "-pk")


@admin.register(Invitation)
class InvitationAdmin(MatchPartAdmin):
    related = ("match", "inviter", "invited")
    list_display = ("at", "inviter", "invited", "match", "taken_back_at")
    list_filter = ("at",)
    linked_lookups = ("inviter__id__exact", "invited__id__exact", "match__id__exact")
    search_fields = ("inviter__username", "invited__username", "match__slug__exact")
    ordering = ("-pk",)
    fields = readonly_fields = list_display


@admin.register(ConductMark)
class ConductMarkAdmin(MatchPartAdmin):
    """The conduct ledgers. Only play and chat add lines, and a void match takes its lines back."""

    list_display = ("time", USER_COLUMN, "kind", "points", MATCH_COLUMN)
    time = TIME_COLUMN
    list_filter = ("kind", "at")
    linked_lookups = ("user__id__exact", "match__id__exact")
    search_fields = ("user__username", "match__slug__exact")
    ordering = ("-pk",)
    fields = readonly_fields = ("time", "user", "kind", "points", "match")
