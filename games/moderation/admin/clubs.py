"""Clubs and their people in the admin."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.admin import acts_link
from accounts.models import ModerationAct, User
from accounts.sanctions import moderation_log
from games.models import Club, ClubMember
from games.moderation import club_acts
from games.moderation.admin.matches import USER_COLUMN, GameAdmin
from infrastructure.admin import LinkedPage, RowAction, link_column, time_column

CLUB_COLUMN = link_column("club", _("club"))


def close(*, moderator: User, club: Club, reason: str) -> None:
    club_acts.close_club(moderator=moderator, club=club, reason=reason, now=timezone.now())


@admin.register(Club)
class ClubAdmin(GameAdmin):
    row_actions = (
        RowAction(
            "hide_name",
            _("Hide the name"),
            ("games.hide_message",),
            "club",
            club_acts.hide_club_name,
            lambda _moderator, club: club_acts.has_own_name(club),
        ),
        RowAction(
            "hide_text",
            _("Hide the text"),
            ("games.hide_message",),
            "club",
            club_acts.hide_club_text,
            lambda _moderator, club: bool(club.text),
        ),
        RowAction(
            "close",
            _("Close the club"),
            ("games.stop_match",),
            "club",
            close,
            lambda _moderator, club: club.closed_at is None,
        ),
    )
    list_display = ("slug", "name", "members_count", "asks", "founded", "closed")
    founded, closed = time_column("created_at", _("founded")), time_column("closed_at", _("closed"))
    search_fields = ("slug", "name", "text")
    ordering = ("-pk",)
    fields = readonly_fields = ("slug", "name", "text", "asks", "members_count", "founded", "closed")

    def linked_pages(self, obj: Club) -> Sequence[LinkedPage]:
        people = reverse("admin:games_clubmember_changelist")
        page = (LinkedPage(_("the club"), "games.view_club", reverse("club", args=[obj.slug])),)
        return (
            *(page if obj.closed_at is None else ()),
            LinkedPage(_("the people"), "games.view_clubmember", f"{people}?club__id__exact={obj.pk}"),
            acts_link(obj.slug),
        )

    def acts_on(self, obj: Club) -> QuerySet[ModerationAct]:
        return moderation_log.acts_on(f"club:{obj.slug}")


@admin.register(ClubMember)
class ClubMemberAdmin(GameAdmin):
    list_display = (USER_COLUMN, CLUB_COLUMN, "status", "changed")
    changed = time_column("since", _("since"))
    linked_lookups = ("user__id__exact", "club__id__exact")
    search_fields = ("club__slug__exact", "user__name", "user__username")
    ordering = ("-pk",)
    fields = readonly_fields = ("club", "user", "status", "changed")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ClubMember]:
        return super().get_queryset(request).select_related("club", "user")
