"""Matches in the admin, and what moderators can do about them.

While a match runs, no page, filter, search or order here shows or depends on a tile or on the secret of the
deal: both are left out of the query itself until everybody may know how the match ended.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypedDict

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Case, F, Q, QuerySet, When
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.sanction_form import SanctionForm
from games.errors import Refused
from games.match.disclosure import withheld_keys
from games.models import ConductMark, Match, MatchEvent, Message, Seat
from games.services import moderation
from infrastructure.admin import AdminAction, HistoryAdmin, HistoryInline

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

OVER = (Match.Status.FINISHED, Match.Status.STOPPED, Match.Status.VOID)
LATER = _("shown once the match is over")


class SecretIfOver(TypedDict):
    secret_if_over: str | None


class DataIfOver(TypedDict):
    data_if_over: str | None


def _stop(*, moderator: User, row: Match, reason: str) -> None:
    moderation.stop_match(moderator=moderator, match=row, reason=reason)


def _void(*, moderator: User, row: Match, reason: str) -> None:
    moderation.void_match(moderator=moderator, match=row, reason=reason)


def _remove(*, moderator: User, row: Seat, reason: str) -> None:
    moderation.remove_from_seat(moderator=moderator, seat=row, reason=reason)


def _hide(*, moderator: User, row: Message, reason: str) -> None:
    moderation.hide_message(moderator=moderator, message=row, reason=reason)


def _mute(*, moderator: User, row: Message, **fields: Any) -> None:
    moderation.mute_writer(moderator=moderator, message=row, **fields)


class GameAdmin(HistoryAdmin):
    refusals = (ValidationError, Refused)


class PartAdmin(GameAdmin):
    """Rows that belong to a match, which is read with them but without its secret."""

    linked_lookups: tuple[str, ...] = ("match__id__exact",)
    related: tuple[str, ...] = ("match", "user")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related(*self.related).defer("match__secret")


class SeatInline(HistoryInline):
    model = Seat
    fields = readonly_fields = ("page", "name", "user", "bot", "away", "place", "rating_gain")
    ordering = ("index",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user")

    @admin.display(description=_("seat"))
    def page(self, seat: Seat) -> str:
        return format_html('<a href="{}">{}</a>', reverse("admin:games_seat_change", args=[seat.pk]), seat.index)


@admin.register(Match)
class MatchAdmin(GameAdmin):
    row_actions = (
        AdminAction("stop", _("Stop the match"), "games.stop_match", _stop),
        AdminAction("void", _("Declare the match void"), "games.void_match", _void),
    )
    list_display = (
        "slug",
        "variant",
        "status",
        "players",
        "rated",
        "visibility",
        "round",
        "created_at",
        "finished_at",
    )
    list_filter = ("status", "rated", "visibility", "created_at")
    list_select_related = ("host",)
    search_fields = ("slug", "seats__name", "variant__exact")
    ordering = ("-pk",)
    inlines = (SeatInline,)
    fields = (
        *("slug", "variant", "options", "seat_count", "clock", "visibility", "rated", "status", "host"),
        *("created_at", "started_at", "finished_at", "round", "version", "commitment", "revealed", "links"),
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        matches: QuerySet[Match] = super().get_queryset(request).defer("secret").prefetch_related("seats")
        over = Q(status__in=OVER) & ~Q(pk__in=withheld_keys())
        return matches.annotate(secret_if_over=Case(When(over, then=F("secret"))))

    @admin.display(description=_("players"))
    def players(self, match: Match) -> str:
        return ", ".join(seat.name or "–" for seat in sorted(match.seats.all(), key=lambda seat: seat.index))

    @admin.display(description=_("secret"))
    def revealed(self, match: WithAnnotations[Match, SecretIfOver]) -> str:
        return match.secret_if_over or str(LATER)

    @admin.display(description=_("more"))
    def links(self, match: Match) -> str:
        return format_html(
            '<a href="{}">{}</a> · <a href="{}?match__id__exact={}">{}</a> · <a href="{}?match__id__exact={}">{}</a>'
            ' · <a href="{}?q={}">{}</a>',
            *(reverse("match", args=[match.slug]), _("the table")),
            *(reverse("admin:games_matchevent_changelist"), match.pk, _("the record")),
            *(reverse("admin:games_message_changelist"), match.pk, _("messages")),
            *(reverse("admin:accounts_moderationact_changelist"), match.slug, _("moderation acts")),
        )


@admin.register(Seat)
class SeatAdmin(PartAdmin):
    row_actions = (AdminAction("remove", _("Remove from the seat"), "games.empty_seat", _remove),)
    list_display = ("match", "index", "name", "user", "bot", "away", "last_seen", "place", "rating_gain")
    linked_lookups = ("user__id__exact", "match__id__exact")
    search_fields = ("match__slug__exact", "name", "user__username")
    ordering = ("-pk",)
    fields = readonly_fields = list_display


@admin.register(MatchEvent)
class MatchEventAdmin(PartAdmin):
    """The record. Events of a running match are shown without their data."""

    list_display = ("match", "seq", "kind", "at")
    related = ("match",)
    search_fields = ("match__slug__exact",)
    ordering = ("-pk",)
    fields = readonly_fields = ("match", "seq", "kind", "at", "facts")

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatchEvent]:
        events: QuerySet[MatchEvent] = super().get_queryset(request).defer("data")
        over = Q(match__status__in=OVER) & ~Q(match__in=withheld_keys())
        return events.annotate(data_if_over=Case(When(over, then=F("data"))))

    @admin.display(description=_("facts"))
    def facts(self, event: WithAnnotations[MatchEvent, DataIfOver]) -> str:
        if event.data_if_over is None:
            return str(LATER)
        return format_html("<pre>{}</pre>", json.dumps(json.loads(event.data_if_over), indent=2, ensure_ascii=False))


@admin.register(Message)
class MessageAdmin(PartAdmin):
    row_actions = (
        AdminAction("hide", _("Hide the message"), "games.hide_message", _hide),
        AdminAction("mute", _("Mute the writer"), "accounts.mute", _mute, SanctionForm),
    )
    list_display = ("at", "match", "room", "name", "user", "text", "hidden")
    list_filter = ("room", "hidden", "at")
    linked_lookups = ("user__id__exact", "match__id__exact")
    search_fields = ("text", "name", "match__slug__exact")
    ordering = ("-pk",)
    fields = readonly_fields = list_display

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        """A moderator who plays cannot read the spectator chat before the match is over."""
        playing = Seat.objects.filter(user=request.user.pk, match__status__in=Match.UNFINISHED).values("match")
        return super().get_queryset(request).exclude(room=Message.Room.SPECTATORS, match__in=playing)


@admin.register(ConductMark)
class ConductMarkAdmin(PartAdmin):
    """The ledgers of conduct, to read: only what happens at the tables writes into them, and a void takes out."""

    list_display = ("at", "user", "kind", "points", "match")
    list_filter = ("kind", "at")
    linked_lookups = ("user__id__exact", "match__id__exact")
    search_fields = ("user__username", "match__slug__exact")
    ordering = ("-pk",)
    fields = readonly_fields = list_display
