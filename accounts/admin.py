"""People in the admin: their accounts, rights and sanctions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode

import allauth.mfa.admin  # noqa: F401  (registers what is replaced below)
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db.models import Exists, ManyToManyField, Model, OuterRef, QuerySet
from django.forms import CheckboxSelectMultiple
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.models import Appeal, Block, Follow, ModerationAct, Sanction, User
from accounts.sanctions import appeals, imposing, moderation_log
from accounts.sanctions.targets import target_link
from accounts.selectors import sanction_in_force
from infrastructure.admin import HistoryAdmin, HistoryInline, LinkedPage, RowAction, link_column, time_column
from infrastructure.second_factors import has_second_factor

MAX_ROWS_FOR_CASE = 100  # rows that one case can be opened about
Kind = Sanction.Kind
USER_COLUMN, MODERATOR_COLUMN = link_column("user", _("user")), link_column("moderator", _("moderator"))
TIME_COLUMN, CREATED_COLUMN = time_column("at", _("time")), time_column("created_at", _("time"))
UNTIL_COLUMN = time_column("until", _("until"), empty=_("permanently"))
LIFTED_AT_COLUMN = time_column("lifted_at", _("lifted"))


def _target_column(field: str, title: Any) -> Any:
    """Return a column of the log with a link to the page of a target."""

    @admin.display(description=title, ordering=field, empty_value="–")
    def column(_admin: object, act: ModerationAct) -> str:
        return target_link(getattr(act, field))

    return column


TARGET_COLUMN, EVIDENCE_COLUMN = _target_column("target", _("target")), _target_column("evidence", _("evidence"))


class SanctionInline(HistoryInline):
    model = Sanction
    fk_name = "user"
    fields = readonly_fields = ("kind", "reason", "time", "end", "lifted", "moderator")
    time, end, lifted = CREATED_COLUMN, UNTIL_COLUMN, LIFTED_AT_COLUMN
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Sanction]:
        return super().get_queryset(request).select_related("moderator", "user")


class ActInline(HistoryInline):
    model = ModerationAct
    fk_name = "user"
    fields = readonly_fields = ("act", "target_page", "evidence_page", "reason", "time", "moderator")
    time, target_page, evidence_page = TIME_COLUMN, TARGET_COLUMN, EVIDENCE_COLUMN
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModerationAct]:
        acts: QuerySet[ModerationAct] = super().get_queryset(request)
        return acts.exclude(act__in=moderation_log.ACTS_BEFORE_DECISION).select_related("moderator", "user")


@admin.action(description=_("Open a case"))
def open_case(model_admin: admin.ModelAdmin, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse:  # type: ignore[type-arg]
    """Redirect to the form that opens a case about the chosen rows."""
    row_ids = rows.values_list("pk", flat=True)[:MAX_ROWS_FOR_CASE]
    return redirect(open_case_url(model_admin.opts.model_name or "", *row_ids))


def open_case_url(model: str, *keys: int) -> str:
    """Return the address of the form that opens a case about these rows."""
    return f"{reverse('admin:games_case_open')}?{urlencode([(model, key) for key in keys])}"


def open_case_link(row: Model) -> LinkedPage:
    """Return the link from the page of a row to the form that opens a case about it."""
    return LinkedPage(_("open a case"), "games.propose_decision", open_case_url(row._meta.model_name or "", row.pk))


def acts_link(slug: str) -> LinkedPage:
    """Return the link from the page of something with this slug to the log of the acts about it."""
    log_list = reverse("admin:accounts_moderationact_changelist")
    return LinkedPage(_("moderation acts"), "accounts.view_moderationact", f"{log_list}?q={slug}")


class StaffRightsForm(UserChangeForm):  # type: ignore[type-arg]  # only the stubs are generic
    """Grants staff rights only to people with a second factor: a stolen password must not open the admin."""

    def clean_is_staff(self) -> bool:
        is_staff: bool = self.cleaned_data["is_staff"]
        is_new = is_staff and not self.instance.is_staff
        if is_new and settings.STAFF_SECOND_FACTOR and not has_second_factor(self.instance):
            raise ValidationError(_("This person must turn on two-step login first."), code="second_factor")
        return is_staff


@admin.register(User)
class UserAdmin(HistoryAdmin, DjangoUserAdmin):  # type: ignore[type-arg]  # only the stubs are generic
    """Moderators can only read. Administrators can also change rights and see email addresses."""

    actions = (open_case,)
    form = StaffRightsForm
    list_display = ("username", "name", "is_guest", "is_staff", "sanctions_in_force", "joined", "seen")
    joined, seen = time_column("date_joined", _("date joined")), time_column("last_login", _("last login"))
    list_filter = ("is_guest", "is_staff", "is_active")
    ordering = ("-pk",)
    inlines: ClassVar[tuple[type[HistoryInline], ...]] = (SanctionInline, ActInline)
    public_fields = ("username", "name", "colour", "is_guest", "language", "joined", "seen")
    readonly_fields = ("is_guest", "joined", "seen")
    filter_horizontal = ()
    change_fieldsets = (
        (None, {"fields": (*public_fields, "email", "password")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
    )

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        # Anybody who may change users could make themselves an administrator.
        return bool(request.user.is_superuser)

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        if self.has_change_permission(request, obj):
            return self.change_fieldsets
        return ((None, {"fields": self.public_fields}),)

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        addresses = ("email",) if self.has_change_permission(request) else ()
        return ("username", "name", *addresses)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        sanctions = Sanction.objects.filter(sanction_in_force(), user=OuterRef("pk"))
        users: QuerySet[User] = super().get_queryset(request)
        return users.annotate(**{f"has_{kind}": Exists(sanctions.filter(kind=kind)) for kind in Kind.values})

    @admin.display(description=_("sanctions"))
    def sanctions_in_force(self, user: User) -> str:
        return ", ".join(str(kind.label) for kind in Kind if getattr(user, f"has_{kind.value}"))

    def linked_pages(self, obj: User) -> Sequence[LinkedPage]:
        user_query = f"?user__id__exact={obj.pk}"
        log_list = reverse("admin:accounts_moderationact_changelist")
        return (
            open_case_link(obj),
            LinkedPage(_("the log"), "accounts.view_moderationact", log_list + user_query),
            LinkedPage(_("seats"), "games.view_seat", reverse("admin:games_seat_changelist") + user_query),
            LinkedPage(_("messages"), "games.view_message", reverse("admin:games_message_changelist") + user_query),
        )

    def acts_on(self, obj: User) -> QuerySet[ModerationAct]:
        return moderation_log.acts_against(obj)


@admin.register(Block)
class BlockAdmin(HistoryAdmin):
    list_display = ("time", link_column("blocker", _("blocker")), link_column("blocked", _("blocked")))
    list_select_related = ("blocker", "blocked")
    time = CREATED_COLUMN
    search_fields = ("blocker__username", "blocker__name", "blocked__username", "blocked__name")
    ordering = ("-pk",)


@admin.register(Follow)
class FollowAdmin(HistoryAdmin):
    list_display = ("time", link_column("follower", _("follower")), link_column("followed", _("followed")))
    list_select_related = ("follower", "followed")
    time = CREATED_COLUMN
    search_fields = ("follower__username", "follower__name", "followed__username", "followed__name")
    ordering = ("-pk",)


@admin.register(Sanction)
class SanctionAdmin(HistoryAdmin):
    row_actions = (
        RowAction("lift", _("Lift"), ("accounts.lift", "accounts.mute"), "sanction", imposing.lift, imposing.can_lift),
    )
    list_display = ("kind", USER_COLUMN, "scope", "reason", "time", "end", "lifted", MODERATOR_COLUMN)
    fields = readonly_fields = ("kind", "user", "scope", "reason", "time", "end", "lifted", "moderator")
    time, end, lifted = CREATED_COLUMN, UNTIL_COLUMN, LIFTED_AT_COLUMN
    list_filter = ("kind", "until", "lifted_at")
    list_select_related = ("user", "moderator")
    search_fields = ("user__username", "user__name", "reason")
    ordering = ("-pk",)

    def acts_on(self, obj: Sanction) -> QuerySet[ModerationAct]:
        return moderation_log.acts_against(obj.user)


def _verdict_action(name: str, label: Any, verdict: str) -> RowAction:
    permissions, arguments = ("accounts.decide_appeal",), (("verdict", verdict),)
    return RowAction(name, label, permissions, "appeal", appeals.decide_appeal, appeals.can_decide, arguments)


@admin.register(Appeal)
class AppealAdmin(HistoryAdmin):
    """Appeals against sanctions. The moderator who imposed a sanction cannot decide about it."""

    row_actions = (
        _verdict_action("grant", _("Grant"), Appeal.Verdict.GRANTED),
        _verdict_action("reject", _("Reject"), Appeal.Verdict.REJECTED),
    )
    list_display = ("words", "sanction", "time", "verdict", "decided", MODERATOR_COLUMN)
    fields = readonly_fields = (
        *("sanction_page", "reason", "imposed_by", "words", "time", "verdict", "answer", "decided", "moderator"),
    )
    time, decided = TIME_COLUMN, time_column("decided_at", _("decided"))
    list_filter = ("verdict",)
    list_select_related = ("sanction__user", "moderator")
    search_fields = ("sanction__user__username", "sanction__user__name", "words")
    ordering = ("verdict", "-pk")

    @admin.display(description=_("sanction"))
    def sanction_page(self, appeal: Appeal) -> str:
        page = reverse("admin:accounts_sanction_change", args=[appeal.sanction_id])
        return format_html('<a href="{}">{}</a>', page, appeal.sanction)

    @admin.display(description=_("reason"))
    def reason(self, appeal: Appeal) -> str:
        return appeal.sanction.reason

    @admin.display(description=_("imposed by"))
    def imposed_by(self, appeal: Appeal) -> str:
        return str(appeal.sanction.moderator or "–")


@admin.register(ModerationAct)
class ModerationActAdmin(HistoryAdmin):
    list_display = ("time", MODERATOR_COLUMN, "act", USER_COLUMN, "target_page", "evidence_page", "reason")
    fields = readonly_fields = ("time", "moderator", "act", "user", "target_page", "evidence_page", "reason")
    time, target_page, evidence_page = TIME_COLUMN, TARGET_COLUMN, EVIDENCE_COLUMN
    list_filter = ("act", "at", ("moderator", admin.RelatedOnlyFieldListFilter))
    linked_lookups = ("moderator__id__exact", "moderator__isnull", "user__id__exact")
    list_select_related = ("user", "moderator")
    search_fields = ("user__username", "user__name", "moderator__username", "target", "evidence", "reason")
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModerationAct]:
        """Leave out acts that would reveal an undecided case to the person whom it is about."""
        acts: QuerySet[ModerationAct] = super().get_queryset(request)
        return acts.exclude(act__in=moderation_log.ACTS_BEFORE_DECISION, user=request.user.pk)


admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin):
    """Permissions are checkboxes: Django's two lists are hard to use without a mouse."""

    filter_horizontal = ()
    formfield_overrides = {ManyToManyField: {"widget": CheckboxSelectMultiple}}


admin.site.unregister(Authenticator)


@admin.register(Authenticator)
class AuthenticatorAdmin(HistoryAdmin):
    """Second factors without their secrets. Superusers can delete them for people who lost their device."""

    fields = list_display = ("user", "type", "created_at", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    ordering = ("-pk",)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(request.user.is_superuser)
