"""People in the admin: their accounts, rights and sanctions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

import allauth.mfa.admin  # noqa: F401  (registers what is replaced below)
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db.models import Exists, ManyToManyField, Model, OuterRef, Q, QuerySet
from django.forms import CheckboxSelectMultiple
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts import sanctions
from accounts.models import Block, Follow, ModerationAct, Rating, Sanction, User
from accounts.sanction_form import SanctionForm
from infrastructure.admin import AdminAction, HistoryAdmin, HistoryInline, ReasonForm

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class InForce(TypedDict):
    """What the list of people shows of their sanctions."""

    is_muted: bool
    is_suspended: bool


class RatingInline(HistoryInline):
    model = Rating
    fields = readonly_fields = ("variant", "points", "matches")


class SanctionInline(HistoryInline):
    model = Sanction
    fk_name = "user"
    fields = readonly_fields = ("kind", "reason", "created_at", "until", "lifted_at", "moderator")
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Sanction]:
        return super().get_queryset(request).select_related("moderator", "user")


class ActInline(HistoryInline):
    model = ModerationAct
    fk_name = "user"
    fields = readonly_fields = ("act", "target", "reason", "at", "moderator")
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModerationAct]:
        return super().get_queryset(request).select_related("moderator", "user")


def _mute(*, moderator: User, row: User, **fields: Any) -> None:
    sanctions.impose(moderator=moderator, user=row, kind=Sanction.Kind.MUTE, **fields)


def _suspend(*, moderator: User, row: User, **fields: Any) -> None:
    sanctions.impose(moderator=moderator, user=row, kind=Sanction.Kind.SUSPENSION, **fields)


def _lift(*, moderator: User, row: Sanction, reason: str) -> None:
    sanctions.lift(moderator=moderator, sanction=row, reason=reason)


@admin.register(User)
class UserAdmin(HistoryAdmin, DjangoUserAdmin):  # type: ignore[type-arg]  # only the stubs are generic
    """Moderators read and act. Only administrators change rights and see addresses."""

    row_actions = (
        AdminAction("mute", _("Mute"), "accounts.mute", _mute, SanctionForm),
        AdminAction("suspend", _("Suspend"), "accounts.suspend", _suspend, SanctionForm),
    )
    list_display = ("username", "name", "is_guest", "is_staff", "muted", "suspended", "date_joined", "last_login")
    list_filter = ("is_guest", "is_staff", "is_active")
    ordering = ("-pk",)
    inlines = (RatingInline, SanctionInline, ActInline)
    public_fields = ("username", "name", "colour", "is_guest", "language", "date_joined", "last_login", "links")
    readonly_fields = ("is_guest", "date_joined", "last_login", "links")
    filter_horizontal = ()
    change_fieldsets = (
        (None, {"fields": (*public_fields, "email", "password")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
    )

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        # People who may change users could make themselves administrators.
        return bool(request.user.is_superuser)

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        if self.has_change_permission(request, obj):
            return self.change_fieldsets
        return ((None, {"fields": self.public_fields}),)

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        addresses = ("email",) if self.has_change_permission(request) else ()
        return ("username", "name", *addresses)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        in_force = Sanction.objects.filter(
            Q(until=None) | Q(until__gt=timezone.now()), user=OuterRef("pk"), lifted_at=None
        )
        users: QuerySet[User] = super().get_queryset(request)
        return users.annotate(
            is_muted=Exists(in_force.filter(kind=Sanction.Kind.MUTE)),
            is_suspended=Exists(in_force.filter(kind=Sanction.Kind.SUSPENSION)),
        )

    @admin.display(description=_("muted"), boolean=True)
    def muted(self, user: WithAnnotations[User, InForce]) -> bool:
        return user.is_muted

    @admin.display(description=_("suspended"), boolean=True)
    def suspended(self, user: WithAnnotations[User, InForce]) -> bool:
        return user.is_suspended

    @admin.display(description=_("more"))
    def links(self, user: User) -> str:
        return format_html(
            '<a href="{}?user__id__exact={}">{}</a> · <a href="{}?user__id__exact={}">{}</a>',
            *(reverse("admin:games_seat_changelist"), user.pk, _("seats")),
            *(reverse("admin:games_message_changelist"), user.pk, _("messages")),
        )


@admin.register(Rating)
class RatingAdmin(HistoryAdmin):
    list_display = ("user", "variant", "points", "matches")
    list_filter = ("variant",)
    list_select_related = ("user",)
    search_fields = ("user__username", "user__name")
    ordering = ("-points", "-pk")


@admin.register(Block)
class BlockAdmin(HistoryAdmin):
    list_display = ("blocker", "blocked", "created_at")
    list_select_related = ("blocker", "blocked")
    search_fields = ("blocker__username", "blocker__name", "blocked__username", "blocked__name")
    ordering = ("-pk",)


@admin.register(Follow)
class FollowAdmin(HistoryAdmin):
    list_display = ("follower", "followed", "created_at")
    list_select_related = ("follower", "followed")
    search_fields = ("follower__username", "follower__name", "followed__username", "followed__name")
    ordering = ("-pk",)


@admin.register(Sanction)
class SanctionAdmin(HistoryAdmin):
    row_actions = (AdminAction("lift", _("Lift"), "accounts.lift", _lift, ReasonForm),)
    list_display = ("user", "kind", "reason", "created_at", "until", "lifted_at", "moderator")
    list_filter = ("kind", "until", "lifted_at")
    list_select_related = ("user", "moderator")
    search_fields = ("user__username", "user__name", "reason")
    ordering = ("-pk",)


@admin.register(ModerationAct)
class ModerationActAdmin(HistoryAdmin):
    list_display = ("at", "moderator", "act", "user", "target", "reason")
    list_filter = ("act", "at")
    list_select_related = ("user", "moderator")
    search_fields = ("user__username", "user__name", "moderator__username", "target", "reason")
    ordering = ("-pk",)


admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin):
    """Permissions as checkboxes: Django's two lists are hard to use without a mouse."""

    filter_horizontal = ()
    formfield_overrides = {ManyToManyField: {"widget": CheckboxSelectMultiple}}


admin.site.unregister(Authenticator)


@admin.register(Authenticator)
class AuthenticatorAdmin(HistoryAdmin):
    """Second factors without their secrets. An administrator deletes them for people who lost their device."""

    fields = list_display = ("user", "type", "created_at", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    ordering = ("-pk",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(request.user.is_superuser)
