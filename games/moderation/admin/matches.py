"""Matches in the admin, and what moderators can do about them.

While a match runs, no page, filter, search or order here shows or depends on a tile or on the secret of the
deal: both are left out of the query itself until everybody may know how the match ended.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Case, F, Q, QuerySet, When
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.admin import MUTED, can_act_against
from accounts.models import ModerationAct, User
from accounts.sanctions.forms import TableMuteForm
from accounts.sanctions.moderation import acts, acts_on
from games.errors import Refused
from games.match.disclosure import withheld_keys
from games.models import Match, MatchEvent, Message, Seat
from games.moderation import corrections, moderation, previews
from infrastructure.admin import HistoryAdmin, HistoryInline, LinkedPage, linked, moment
from infrastructure.admin_acts import AdminAction, each
from infrastructure.bidi import isolate

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

OVER = (Match.Status.FINISHED, Match.Status.STOPPED, Match.Status.VOID)
LATER = _("shown once the match is over")


class SecretIfOver(TypedDict):
    secret_if_over: str | None


class DataIfOver(TypedDict):
    data_if_over: str | None


def _mute(*, moderator: User, rows: Sequence[Message], **fields: Any) -> None:
    moderation.mute_writer(moderator=moderator, messages=rows, **fields)


def _writer(message: Message) -> object:
    return message.user_id or message


MATCH, USER = linked("match", _("match")), linked("user", _("user"))
TIME = moment("at", _("time"))


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
    fields = readonly_fields = ("page", "name", "user", "bot", "away", "place", "points_gain")
    ordering = ("index",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user")

    @admin.display(description=_("seat"))
    def page(self, seat: Seat) -> str:
        return format_html('<a href="{}">{}</a>', reverse("admin:games_seat_change", args=[seat.pk]), seat.index)


@admin.register(Match)
class MatchAdmin(GameAdmin):
    row_actions = (
        AdminAction(
            "stop",
            _("Stop the match"),
            ("games.stop_match",),
            each(moderation.stop_match, "match"),
            ngettext_lazy("%(count)d match stopped.", "%(count)d matches stopped.", "count"),
            applies=lambda _moderator, match: match.status in Match.UNFINISHED,
            preview=previews.stopping,
        ),
        AdminAction(
            "void",
            _("Declare the match void"),
            ("games.void_match",),
            each(moderation.void_match, "match"),
            ngettext_lazy("%(count)d match declared void.", "%(count)d matches declared void.", "count"),
            applies=lambda _moderator, match: match.status != Match.Status.VOID,
            preview=previews.voiding,
        ),
        AdminAction(
            "restore",
            _("Let the match count again"),
            (corrections.VOID,),
            each(corrections.restore_match, "match"),
            ngettext_lazy("%(count)d match counts again.", "%(count)d matches count again.", "count"),
            applies=corrections.can_restore,
        ),
        AdminAction(
            "take_ratings",
            _("Take rating changes back"),
            (corrections.TAKE,),
            each(corrections.take_ratings_back, "match"),
            ngettext_lazy("%(count)d match changes no ratings.", "%(count)d matches change no ratings.", "count"),
            applies=corrections.has_ratings,
            preview=previews.taking_back,
        ),
        AdminAction(
            "give_ratings",
            _("Give rating changes back"),
            (corrections.TAKE,),
            each(corrections.give_ratings_back, "match"),
            ngettext_lazy("%(count)d match is rated again.", "%(count)d matches are rated again.", "count"),
            applies=corrections.has_lost_ratings,
        ),
    )
    list_display = ("slug", "variant", "status", "players", "rated", "opened", "finished")
    opened, started = moment("created_at", _("opened")), moment("started_at", _("started"))
    finished = moment("finished_at", _("finished"))
    list_filter = ("status", "rated", "visibility", "created_at")
    list_select_related = ("host",)
    search_fields = ("slug", "seats__name", "variant__exact")
    ordering = ("-pk",)
    inlines = (SeatInline,)
    fields = (
        *("slug", "variant", "options", "seat_count", "clock", "visibility", "rated", "status", "host"),
        *("opened", "started", "finished", "round", "version", "commitment", "revealed"),
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        matches: QuerySet[Match] = super().get_queryset(request).defer("secret").prefetch_related("seats")
        over = Q(status__in=OVER) & ~Q(pk__in=withheld_keys())
        return matches.annotate(secret_if_over=Case(When(over, then=F("secret"))))

    @admin.display(description=_("players"))
    def players(self, match: Match) -> str:
        return ", ".join(isolate(seat.name) or "–" for seat in sorted(match.seats.all(), key=lambda seat: seat.index))

    @admin.display(description=_("secret"))
    def revealed(self, match: WithAnnotations[Match, SecretIfOver]) -> str:
        return match.secret_if_over or str(LATER)

    def linked_pages(self, obj: Match) -> Sequence[LinkedPage]:
        listed = {name: reverse(f"admin:games_{name}_changelist") for name in ("matchevent", "message")}
        acts = reverse("admin:accounts_moderationact_changelist")
        return (
            LinkedPage(_("the table"), "games.view_match", reverse("match", args=[obj.slug])),
            LinkedPage(_("the record"), "games.view_matchevent", f"{listed['matchevent']}?match__id__exact={obj.pk}"),
            LinkedPage(_("messages"), "games.view_message", f"{listed['message']}?match__id__exact={obj.pk}"),
            LinkedPage(_("moderation acts"), "accounts.view_moderationact", f"{acts}?q={obj.slug}"),
        )

    def acts_on(self, obj: Match) -> QuerySet[ModerationAct]:
        return acts_on(f"match:{obj.slug}", *(f"seat:{obj.slug}/{index}" for index in range(obj.seat_count)))


@admin.register(Seat)
class SeatAdmin(PartAdmin):
    row_actions = (
        AdminAction(
            "remove",
            _("Remove from the seat"),
            ("games.empty_seat",),
            each(moderation.remove_from_seat, "seat"),
            ngettext_lazy("%(count)d person removed.", "%(count)d people removed.", "count"),
            applies=lambda _moderator, seat: seat.user_id and seat.match.status in Match.UNFINISHED,
            preview=previews.removing,
        ),
        AdminAction(
            "settle",
            _("End the match against this player"),
            ("games.settle_match",),
            each(moderation.settle_match, "seat"),
            ngettext_lazy("%(count)d match ended.", "%(count)d matches ended.", "count"),
            applies=lambda _moderator, seat: seat.user_id and seat.match.status == Match.Status.RUNNING,
            preview=previews.settling,
        ),
    )
    list_display = ("index", MATCH, "name", USER, "bot", "away", "seen", "place", "points_gain")
    linked_lookups = ("user__id__exact", "match__id__exact")
    search_fields = ("match__slug__exact", "name", "user__username")
    ordering = ("-pk",)
    fields = readonly_fields = ("match", "index", "name", "user", "bot", "away", "seen", "place", "points_gain")
    seen = moment("last_seen", _("last seen"))

    def acts_on(self, obj: Seat) -> QuerySet[ModerationAct]:
        return acts_on(f"seat:{obj.match.slug}/{obj.index}")


@admin.register(MatchEvent)
class MatchEventAdmin(PartAdmin):
    """The record. Events of a running match are shown without their data."""

    list_display = ("seq", MATCH, "kind", "time")
    time = TIME
    related = ("match",)
    search_fields = ("match__slug__exact",)
    ordering = ("-pk",)
    fields = readonly_fields = ("match", "seq", "kind", "time", "facts")

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
        AdminAction(
            "hide",
            _("Hide the message"),
            ("games.hide_message",),
            each(moderation.hide_message, "message"),
            ngettext_lazy("%(count)d message hidden.", "%(count)d messages hidden.", "count"),
            applies=lambda _moderator, message: not message.hidden,
        ),
        AdminAction(
            "show",
            _("Show the message again"),
            ("games.hide_message",),
            each(moderation.show_message, "message"),
            ngettext_lazy("%(count)d message shown again.", "%(count)d messages shown again.", "count"),
            applies=lambda _moderator, message: message.hidden and message.user_id,
        ),
        AdminAction(
            "mute",
            _("Mute the writer"),
            ("accounts.mute",),
            _mute,
            MUTED,
            TableMuteForm,
            subject=_writer,
            applies=lambda moderator, message: message.user is not None and can_act_against(moderator, message.user),
        ),
    )
    list_display = ("time", MATCH, "room", "name", USER, "text", "hidden")
    time = TIME
    list_filter = ("room", "hidden", "at")
    linked_lookups = ("user__id__exact", "match__id__exact")
    search_fields = ("text", "name", "match__slug__exact")
    ordering = ("-pk",)
    fields = readonly_fields = ("time", "match", "room", "name", "user", "text", "hidden")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        """A moderator who plays cannot read the spectator chat before the match is over."""
        playing = Seat.objects.filter(user=request.user.pk, match__status__in=Match.UNFINISHED).values("match")
        return super().get_queryset(request).exclude(room=Message.Room.SPECTATORS, match__in=playing)

    def acts_on(self, obj: Message) -> QuerySet[ModerationAct]:
        """A mute may be for several messages of its writer."""
        named = (
            acts()
            .filter(user=obj.user)
            .filter(Q(target=f"message:{obj.pk}") | Q(evidence__regex=rf"^message:(\d+,)*{obj.pk}(,|$)"))
        )
        return named if obj.user else acts_on(f"message:{obj.pk}")
