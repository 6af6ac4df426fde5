"""Rating points, invitations and conduct ledgers in the admin, read-only."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin import UserAdmin
from games.models import ConductMark, Invitation, RatingPoints
from games.moderation.admin.matches import MATCH_COLUMN, TIME_COLUMN, USER_COLUMN, MatchPartAdmin
from infrastructure.admin import HistoryAdmin, HistoryInline


class RatingPointsInline(HistoryInline):
    model = RatingPoints
    fields = readonly_fields = ("variant", "points", "matches")


UserAdmin.inlines = (RatingPointsInline, *UserAdmin.inlines)


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
