"""Matches, seats, events and messages in the admin.

While a match runs, no page, filter, search or order here shows or depends on a tile or on the secret of the deal. The
queries leave both out until everybody may know how the match ended.
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

from accounts.admin import acts_link, open_case, open_case_link
from accounts.models import ModerationAct
from accounts.sanctions import moderation_log
from games.enums import BotLevel
from games.errors import Refused
from games.match.disclosure import undisclosed_match_ids
from games.models import Match, MatchEvent, Message, Report, Seat
from games.moderation import acts, chats, corrections
from games.words import words_of
from infrastructure.admin import HistoryAdmin, HistoryInline, LinkedPage, RowAction, link_column, time_column
from infrastructure.bidi import isolate

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

OVER_STATUSES = (Match.Status.FINISHED, Match.Status.STOPPED, Match.Status.VOID)
SHOWN_AFTER_MATCH = _("shown once the match is over")


class SecretIfOver(TypedDict):
    secret_if_over: str | None


class DataIfOver(TypedDict):
    data_if_over: str | None


MATCH_COLUMN, USER_COLUMN = link_column("match", _("match")), link_column("user", _("user"))
TIME_COLUMN = time_column("at", _("time"))


@admin.display(description=_("bot"), ordering="bot", empty_value="–")
def bot_level(_admin: object, seat: Seat) -> str:
    """Return the level of a bot, for a column of an admin class."""
    return str(BotLevel(seat.bot).label) if seat.bot else ""


class GameAdmin(HistoryAdmin):
    refusal_errors = (ValidationError, Refused)


class MatchPartAdmin(GameAdmin):
    """Rows that belong to a match, which is loaded with them but without its secret."""

    linked_lookups: tuple[str, ...] = ("match__id__exact",)
    related: tuple[str, ...] = ("match", "user")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related(*self.related).defer("match__secret")


class SeatInline(HistoryInline):
    model = Seat
    fields = readonly_fields = ("page", "name", "user", "level", "away", "place", "points_gain")
    level = bot_level
    ordering = ("index",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user")

    @admin.display(description=_("seat"))
    def page(self, seat: Seat) -> str:
        return format_html('<a href="{}">{}</a>', reverse("admin:games_seat_change", args=[seat.pk]), seat.index)


@admin.register(Match)
class MatchAdmin(GameAdmin):
    actions = (open_case,)
    row_actions = (
        RowAction(
            "restore",
            _("Let the match count again"),
            ("games.void_match",),
            "match",
            corrections.restore_match,
            corrections.can_reinstate_match,
        ),
        RowAction(
            "give_ratings",
            _("Give rating changes back"),
            ("games.take_ratings_back",),
            "match",
            corrections.restore_ratings,
            corrections.has_reversed_rating_changes,
        ),
        RowAction(
            "open_chat",
            _("Open the chats again"),
            ("games.hide_message",),
            "match",
            chats.open_chats,
            chats.has_limit,
        ),
    )
    list_display = ("slug", "game", "status", "players", "rated", "opened", "finished")
    opened, started = time_column("created_at", _("opened")), time_column("started_at", _("started"))
    finished = time_column("finished_at", _("finished"))
    list_filter = ("status", "rated", "visibility", "created_at")
    list_select_related = ("host",)
    search_fields = ("slug", "seats__name", "variant__exact")
    ordering = ("-pk",)
    inlines = (SeatInline,)
    fields = (
        *("slug", "game", "chosen_options", "seat_count", "clock", "visibility", "rated", "status", "host"),
        *("opened", "started", "finished", "round", "version", "commitment", "revealed"),
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        matches: QuerySet[Match] = super().get_queryset(request).defer("secret").prefetch_related("seats")
        over = Q(status__in=OVER_STATUSES) & ~Q(pk__in=undisclosed_match_ids())
        return matches.annotate(secret_if_over=Case(When(over, then=F("secret"))))

    @admin.display(description=_("game"), ordering="variant")
    def game(self, match: Match) -> str:
        return str(words_of(match.variant).name)

    @admin.display(description=_("options"))
    def chosen_options(self, match: Match) -> str:
        words = words_of(match.variant)
        return "; ".join(
            f"{words.option(name)}: {words.choice(name, choice)}" for name, choice in match.options.items()
        )

    @admin.display(description=_("players"))
    def players(self, match: Match) -> str:
        return ", ".join(isolate(seat.name) or "–" for seat in sorted(match.seats.all(), key=lambda seat: seat.index))

    @admin.display(description=_("secret"))
    def revealed(self, match: WithAnnotations[Match, SecretIfOver]) -> str:
        return match.secret_if_over or str(SHOWN_AFTER_MATCH)

    def linked_pages(self, obj: Match) -> Sequence[LinkedPage]:
        listed = {name: reverse(f"admin:games_{name}_changelist") for name in ("matchevent", "message")}
        return (
            open_case_link(obj),
            LinkedPage(_("the table"), "games.view_match", reverse("match", args=[obj.slug])),
            LinkedPage(_("the record"), "games.view_matchevent", f"{listed['matchevent']}?match__id__exact={obj.pk}"),
            LinkedPage(_("messages"), "games.view_message", f"{listed['message']}?match__id__exact={obj.pk}"),
            acts_link(obj.slug),
        )

    def acts_on(self, obj: Match) -> QuerySet[ModerationAct]:
        return moderation_log.acts_on(
            f"match:{obj.slug}", *(f"seat:{obj.slug}/{index}" for index in range(obj.seat_count))
        )


@admin.register(Seat)
class SeatAdmin(MatchPartAdmin):
    actions = (open_case,)
    list_display = ("index", MATCH_COLUMN, "name", USER_COLUMN, "level", "away", "seen", "place", "points_gain")
    linked_lookups = ("user__id__exact", "match__id__exact")
    search_fields = ("match__slug__exact", "name", "user__username")
    ordering = ("-pk",)
    fields = readonly_fields = ("match", "index", "name", "user", "level", "away", "seen", "place", "points_gain")
    level = bot_level
    seen = time_column("last_seen", _("last seen"))

    def linked_pages(self, obj: Seat) -> Sequence[LinkedPage]:
        return (open_case_link(obj),) if obj.user_id else ()

    def acts_on(self, obj: Seat) -> QuerySet[ModerationAct]:
        return moderation_log.acts_on(f"seat:{obj.match.slug}/{obj.index}")


@admin.register(MatchEvent)
class MatchEventAdmin(MatchPartAdmin):
    """The record. Events of a running match have no data here."""

    list_display = ("seq", MATCH_COLUMN, "kind", "time")
    time = TIME_COLUMN
    related = ("match",)
    search_fields = ("match__slug__exact",)
    ordering = ("-pk",)
    fields = readonly_fields = ("match", "seq", "kind", "time", "facts")

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatchEvent]:
        events: QuerySet[MatchEvent] = super().get_queryset(request).defer("data")
        over = Q(match__status__in=OVER_STATUSES) & ~Q(match__in=undisclosed_match_ids())
        return events.annotate(data_if_over=Case(When(over, then=F("data"))))

    @admin.display(description=_("facts"))
    def facts(self, event: WithAnnotations[MatchEvent, DataIfOver]) -> str:
        if event.data_if_over is None:
            return str(SHOWN_AFTER_MATCH)
        return format_html("<pre>{}</pre>", json.dumps(json.loads(event.data_if_over), indent=2, ensure_ascii=False))


@admin.register(Message)
class MessageAdmin(MatchPartAdmin):
    actions = (open_case,)
    row_actions = (
        RowAction(
            "show",
            _("Show the message again"),
            ("games.hide_message",),
            "message",
            acts.show_message,
            lambda _moderator, message: message.hidden and message.user_id,
        ),
    )
    list_display = ("time", MATCH_COLUMN, "room", "name", USER_COLUMN, "text", "hidden")
    time = TIME_COLUMN
    list_filter = ("room", "hidden", "at")
    linked_lookups = ("user__id__exact", "match__id__exact")
    search_fields = ("text", "name", "match__slug__exact")
    ordering = ("-pk",)
    fields = readonly_fields = ("time", "match", "room", "name", "user", "text", "hidden")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        """Leave out the spectator chat of matches in which the moderator plays."""
        own_running_matches = Seat.objects.filter(user=request.user.pk, match__status__in=Match.UNFINISHED).values(
            "match"
        )
        return super().get_queryset(request).exclude(room=Message.Room.SPECTATORS, match__in=own_running_matches)

    def linked_pages(self, obj: Message) -> Sequence[LinkedPage]:
        return (open_case_link(obj),)

    def acts_on(self, obj: Message) -> QuerySet[ModerationAct]:
        """Return the acts on the message, and those on its writer in a case about it."""
        cases = Report.objects.filter(message=obj).values_list("case", flat=True)
        of_writer = Q(user=obj.user_id, user__isnull=False, evidence__in=[f"case:{case}" for case in cases])
        return moderation_log.logged_acts().filter(Q(target=f"message:{obj.pk}") | of_writer)
