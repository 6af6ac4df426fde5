"""Tournaments: their rows for lists, their events, their entrants and their tables.

Only the events contain the state (``games.tournaments.record``). The other columns repeat what lists and the clock
search by, and are written in the same transaction.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import enums
from games.models.club import Club
from games.models.match import Match, new_slug


class Tournament(models.Model):
    """A tournament, from the announcement to the result.

    - ``format``: ``arena``, ``swiss`` or ``duplicate``. ``people``: of a party; 2 are partners.
    - ``minutes``: how long an arena lasts. ``rounds``: 0 until it has started, and in an arena.
    - ``name``: given by the host, "" for those of the schedule. ``plan``: its key in the schedule, else None.
    - ``conditions``: who may enter (``games.tournaments.conditions``). ``asks``: the host approves each entry.
    - ``club``: only its members may enter, until it closes; None for everybody.
    - ``parties``: how many have entered and not left.
    - ``reminded``: its entrants have got a notice that it starts soon.
    - ``due_at``: when the clock looks at it again. ``lost_ms``: time since the start that did not count.
    - ``secret``, ``commitment``: of the boards of a duplicate tournament. ``nonces_until``: when the entrants' nonces
      are left out if their pages have not opened them; None before the start.
    - ``bots_version``: of the bots on the boards of a duplicate tournament, from the first board on.
    """

    Stage = enums.TournamentStage
    UNFINISHED = enums.UNFINISHED_TOURNAMENTS
    Visibility = enums.Visibility

    slug = models.CharField(max_length=12, unique=True, default=new_slug, editable=False)
    format = models.CharField(max_length=9)
    name = models.CharField(max_length=40, blank=True, default="")
    plan = models.CharField(max_length=40, null=True, unique=True, editable=False)  # noqa: DJ001 - unique unless null
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="hosted_tournaments"
    )
    visibility = models.CharField(max_length=8, choices=enums.Visibility, default=enums.Visibility.PUBLIC)
    asks = models.BooleanField(default=False)
    conditions = models.JSONField(default=dict)
    club = models.ForeignKey(Club, null=True, on_delete=models.PROTECT, related_name="tournaments")

    variant = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    seat_count = models.PositiveSmallIntegerField()
    people = models.PositiveSmallIntegerField(default=1)
    clock = models.CharField(max_length=8, choices=enums.Clock, default=enums.Clock.NORMAL)
    rated = models.BooleanField(default=False)
    minutes = models.PositiveSmallIntegerField(default=0)

    stage = models.CharField(max_length=9, default=enums.TournamentStage.ANNOUNCED.value)
    created_at = models.DateTimeField(auto_now_add=True)
    starts_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    parties = models.PositiveIntegerField(default=0)
    round = models.PositiveSmallIntegerField(default=0)
    rounds = models.PositiveSmallIntegerField(default=0)

    # The number of events, and of all visible changes.
    version = models.PositiveIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    lost_ms = models.PositiveIntegerField(default=0)
    reminded = models.BooleanField(default=False, db_default=False)

    secret = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)
    commitment = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)
    nonces_until = models.DateTimeField(null=True, editable=False)
    bots_version = models.PositiveIntegerField(default=1, db_default=1, editable=False)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        indexes = [
            models.Index(fields=["due_at"], name="tournament_due", condition=models.Q(due_at__isnull=False)),
            models.Index(fields=["stage", "starts_at"], name="tournament_stage"),
            models.Index(fields=["variant", "-starts_at"], name="tournament_variant"),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def open_club(self) -> Club | None:
        """The club whose members alone may enter, None for everybody. Nobody is left in a closed club."""
        return self.club if self.club is not None and self.club.closed_at is None else None


class TournamentEvent(models.Model):
    """An event of a tournament. Only ``games.tournaments.record`` reads and writes this table."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    data = models.TextField()
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("event of a tournament")
        verbose_name_plural = _("events of tournaments")
        constraints = [models.UniqueConstraint(fields=["tournament", "seq"], name="one_tournament_event_per_seq")]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"


class Entry(models.Model):
    """A person in a tournament, also one who has left it, and one who still waits for the host or for a partner.

    - ``key``: the person in events, which contain no ids of users. ``party``: the side to which the person belongs.
    - ``partner``: the entry of the person whom this one asked to be partners.
    - ``leaving``: why the person has left, or why the clock takes the party out at its next pass; else "".
    - ``seen_at``: the last sign of an open page. ``waits_since``: in an arena, since when the person wants a table.
    - ``address``: in a rated tournament until its end, a keyed hash of the network address.
    - ``nonce``, ``nonce_commitment``: the person's part in the deals of boards (``games.tournaments.opening``).
    - ``rank``: the place in the final standing.
    - ``reminded``: got a push notification that the tournament starts, or entered so late that none is needed.
    """

    Status = enums.EntryStatus
    MAX_KEY_LENGTH = 8
    MAX_PARTY_LENGTH = 2 * MAX_KEY_LENGTH + 1  # the keys of two partners, joined by "+"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="tournament_entries"
    )
    name = models.CharField(max_length=30)
    key = models.CharField(max_length=MAX_KEY_LENGTH)
    party = models.CharField(max_length=MAX_PARTY_LENGTH)
    partner = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="asking")
    status = models.CharField(max_length=8)
    leaving = models.CharField(max_length=8, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(null=True)
    waits_since = models.DateTimeField(null=True)
    address = models.CharField(max_length=32, blank=True, default="", editable=False)
    nonce_commitment = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)
    nonce = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)
    rank = models.PositiveIntegerField(null=True)
    reminded = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name = _("entry of a tournament")
        verbose_name_plural = _("entries of tournaments")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user"], name="one_entry_per_person"),
            models.UniqueConstraint(fields=["tournament", "key"], name="one_entry_per_key"),
        ]
        indexes = [
            models.Index(fields=["user", "-tournament"], name="entry_user"),
            models.Index(fields=["tournament", "party"], name="entry_party"),
            models.Index(fields=["tournament"], name="entry_leaving", condition=~models.Q(leaving="")),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.name}"


class TournamentTable(models.Model):
    """A pairing of a tournament, and its match. The match knows nothing of it.

    ``parties`` has one for each side, "" for a bot. ``recounts``: a moderator has declared the match void, or valid
    again, since its result was counted. ``next_steps`` has what each side does after its table
    (``games.tournaments.next_steps``), null before the end.
    """

    Stage = enums.TournamentTableStage

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveIntegerField()
    round = models.PositiveSmallIntegerField()
    parties = models.JSONField()
    match = models.OneToOneField(Match, null=True, on_delete=models.SET_NULL, related_name="tournament_table")
    stage = models.CharField(max_length=8, default=enums.TournamentTableStage.PAIRED.value)
    recounts = models.BooleanField(default=False)
    next_steps = models.JSONField(null=True, editable=False)

    class Meta:
        verbose_name = _("table of a tournament")
        verbose_name_plural = _("tables of tournaments")
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="one_table_per_number")]
        indexes = [
            models.Index(fields=["tournament", "stage"], name="tournament_tables"),
            models.Index(fields=["tournament"], name="tournament_recounts", condition=models.Q(recounts=True)),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.number}"
