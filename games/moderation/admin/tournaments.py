"""Tournaments and their entries in the admin."""

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
from games.models import Entry, Tournament
from games.moderation import tournament_acts
from games.moderation.admin.matches import USER_COLUMN, GameAdmin
from games.words import words_of
from infrastructure.admin import LinkedPage, RowAction, link_column, time_column

TOURNAMENT_COLUMN, HOST_COLUMN = link_column("tournament", _("tournament")), link_column("host", _("host"))


def cancel(*, moderator: User, tournament: Tournament, reason: str) -> None:
    tournament_acts.cancel_tournament(moderator=moderator, tournament=tournament, reason=reason, now=timezone.now())


def remove_entry(*, moderator: User, entry: Entry, reason: str) -> None:
    tournament_acts.remove_entry(moderator=moderator, entry=entry, reason=reason, now=timezone.now())


@admin.register(Tournament)
class TournamentAdmin(GameAdmin):
    row_actions = (
        RowAction(
            "cancel",
            _("Cancel the tournament"),
            ("games.stop_match",),
            "tournament",
            cancel,
            lambda _moderator, tournament: tournament.stage in Tournament.UNFINISHED,
        ),
        RowAction(
            "hide_name",
            _("Hide the name"),
            ("games.hide_message",),
            "tournament",
            tournament_acts.hide_name,
            lambda _moderator, tournament: bool(tournament.name),
        ),
    )
    list_display = ("slug", "name", "game", "format", "stage", HOST_COLUMN, "parties", "starts", "finished")
    starts, finished = time_column("starts_at", _("starts")), time_column("finished_at", _("finished"))
    announced = time_column("created_at", _("announced"))
    list_filter = ("stage", "format", "visibility", "starts_at")
    list_select_related = ("host",)
    search_fields = ("slug", "name", "entries__name", "variant__exact")
    ordering = ("-pk",)
    fields = readonly_fields = (
        *(
            "slug",
            "name",
            "game",
            "format",
            "seat_count",
            "clock",
            "visibility",
            "rated",
            "asks",
            "conditions",
            "host",
        ),
        # Not the version: it counts the tables of an open board that are over.
        *("stage", "announced", "starts", "finished", "parties", "minutes", "round", "rounds"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        return super().get_queryset(request).defer("secret")

    @admin.display(description=_("game"), ordering="variant")
    def game(self, tournament: Tournament) -> str:
        return str(words_of(tournament.variant).name)

    def linked_pages(self, obj: Tournament) -> Sequence[LinkedPage]:
        entries = reverse("admin:games_entry_changelist")
        return (
            LinkedPage(_("the tournament"), "games.view_tournament", reverse("tournament", args=[obj.slug])),
            LinkedPage(_("the entries"), "games.view_entry", f"{entries}?tournament__id__exact={obj.pk}"),
            acts_link(obj.slug),
        )

    def acts_on(self, obj: Tournament) -> QuerySet[ModerationAct]:
        return moderation_log.acts_on(f"tournament:{obj.slug}")


@admin.register(Entry)
class EntryAdmin(GameAdmin):
    row_actions = (
        RowAction(
            "remove",
            _("Take the person off the list"),
            ("games.empty_seat",),
            "entry",
            remove_entry,
            lambda _moderator, entry: (
                entry.status != Entry.Status.GONE and entry.tournament.stage in Tournament.UNFINISHED
            ),
        ),
    )
    list_display = ("key", TOURNAMENT_COLUMN, "name", USER_COLUMN, "party", "status", "leaving", "rank", "entered")
    entered = time_column("created_at", _("entered"))
    linked_lookups = ("user__id__exact", "tournament__id__exact")
    search_fields = ("tournament__slug__exact", "name", "user__username")
    ordering = ("-pk",)
    fields = readonly_fields = (
        *("tournament", "key", "party", "name", "user", "status", "leaving", "rank", "entered"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        return super().get_queryset(request).select_related("tournament", "user").defer("nonce", "tournament__secret")

    def acts_on(self, obj: Entry) -> QuerySet[ModerationAct]:
        return moderation_log.acts_on(f"tournament:{obj.tournament.slug}").filter(user=obj.user_id)
