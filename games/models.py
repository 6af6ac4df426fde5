"""Data and constraints of matches. No rules live here."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import enums

BY_END = ("-finished_at", "-match")
SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_slug() -> str:
    """Return an unguessable address of 12 characters (59 bits) without look-alikes."""
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(12))


class Match(models.Model):
    """A match, from the open table to the result. The position itself is only in the record."""

    Status = enums.Status
    UNFINISHED = enums.UNFINISHED
    Clock = enums.Clock
    Visibility = enums.Visibility
    Delay = enums.Delay
    Due = enums.Due
    NoPoints = enums.NoPoints

    slug = models.CharField(max_length=12, unique=True, default=new_slug, editable=False)
    variant = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    seat_count = models.PositiveSmallIntegerField(default=4)
    clock = models.CharField(max_length=8, choices=Clock, default=Clock.NORMAL)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    rated = models.BooleanField(default=False)
    no_points = models.CharField(max_length=8, choices=NoPoints, blank=True, default="")
    delay = models.CharField(max_length=5, choices=Delay, default=Delay.NONE)
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="hosted_matches"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    # With a delay: from when on everybody may know how it ended.
    shown_at = models.DateTimeField(null=True)
    # What the record told last of the scores when the match ended, so that lists of matches need not ask it.
    standing = models.TextField(blank=True, default="", editable=False)
    rematch = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="rematch_of")

    # The fair deal: the secret stays on the server until the match is over.
    secret = models.CharField(max_length=64, editable=False)
    commitment = models.CharField(max_length=64, editable=False)

    # Where the record stands, written in the transaction of each move. ``revision`` counts every change a
    # viewer can see, also those that are no events: a seat taken, somebody ready, a line of chat.
    version = models.PositiveIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0)
    deal_version = models.PositiveIntegerField(default=0)
    round = models.PositiveIntegerField(default=0)
    to_move = models.PositiveSmallIntegerField(null=True)

    # Time: when the turn began, bank left in milliseconds per seat, and what is due next.
    turn_started_at = models.DateTimeField(null=True)
    banks = models.JSONField(default=list)
    due_at = models.DateTimeField(null=True)
    due_kind = models.CharField(max_length=8, choices=Due, default=Due.NOTHING, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        permissions = [
            ("stop_match", "Can stop a match"),
            ("void_match", "Can declare a match void"),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="match_due", condition=models.Q(due_at__isnull=False)),
            models.Index(fields=["shown_at"], name="match_shown", condition=models.Q(shown_at__isnull=False)),
            models.Index(fields=["status", "-created_at"], name="match_status"),
            models.Index(fields=["-finished_at", "-id"], name="match_finished"),
            models.Index(fields=["variant", "-finished_at", "-id"], name="match_variant"),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def delayed(self) -> bool:
        return self.delay != self.Delay.NONE

    @property
    def public_at(self) -> datetime | None:
        return self.shown_at


class Seat(models.Model):
    """A seat of a match and who sits in it: a person, a bot, or nobody. Names are kept as they were.

    A user and a bot together: the bot plays for a person who left or ran out of time in a casual match.
    ``last_seen`` is a lease that a connected page renews; ``away`` is what the table shows once it ran out.
    """

    Outcome = enums.Outcome

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    bot = models.CharField(max_length=20, blank=True)
    name = models.CharField(max_length=30, blank=True)
    colour = models.CharField(max_length=10, blank=True)
    # The player's part of the shuffle: what it was committed to by, and itself once it is open.
    nonce_commitment = models.CharField(max_length=64, blank=True)
    nonce = models.CharField(max_length=64, blank=True)
    ready = models.BooleanField(default=False)
    last_seen = models.DateTimeField(null=True)
    away = models.BooleanField(default=False)
    place = models.PositiveSmallIntegerField(null=True)
    rating_gain = models.SmallIntegerField(null=True)
    # In a rated match until it is over: a mark of the address it was taken from, no address.
    address = models.CharField(max_length=32, blank=True, default="", editable=False)

    # What the history finds a person's matches by, in the order of its lists, without a join: written when the
    # match is over. ``name_key`` is empty for bots and for who was deleted.
    outcome = models.CharField(max_length=8, choices=Outcome, blank=True)
    finished_at = models.DateTimeField(null=True)
    variant = models.CharField(max_length=20, blank=True)
    listed = models.BooleanField(default=False)
    name_key = models.CharField(max_length=60, blank=True)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        permissions = [("empty_seat", "Can remove a player from a seat")]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="one_seat_per_index"),
            models.UniqueConstraint(fields=["match", "user"], name="one_seat_per_user"),
        ]
        indexes = [
            # Whose, in the order of the lists, and all that else is asked: such a list reads the index alone.
            models.Index(fields=["user", *BY_END, "variant", "outcome", "listed"], name="seat_user"),
            models.Index(fields=["name_key", *BY_END, "variant", "outcome", "listed"], name="seat_name"),
            models.Index(fields=["outcome", *BY_END, "variant", "listed"], name="seat_outcome"),
        ]

    def __str__(self) -> str:
        return f"{self.index}: {self.name}"


class MatchEvent(models.Model):
    """One fact of a match. Only ``games.match.record`` reads and writes this table."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    data = models.TextField()
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [models.UniqueConstraint(fields=["match", "seq"], name="one_event_per_seq")]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"


class Message(models.Model):
    """A line of a table's chat, or of its spectators', which players read only after the match."""

    Room = enums.Room

    room = models.CharField(max_length=10, choices=Room, default=Room.TABLE)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="messages")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="messages")
    name = models.CharField(max_length=30)
    text = models.CharField(max_length=300)
    at = models.DateTimeField(auto_now_add=True)
    hidden = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        permissions = [("hide_message", "Can hide a message")]
        indexes = [
            models.Index(fields=["match", "room", "-at"], name="message_room"),
            models.Index(fields=["user", "-at"], name="message_pace"),
        ]

    def __str__(self) -> str:
        return self.text[:40]


class Crowd(models.Model):
    """The spectators of a match whose sockets one process of the site holds, as that process last told.

    A row that was not renewed for a while is of a process that is gone, and counts no more.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="crowds")
    process = models.CharField(max_length=32)
    watchers = models.PositiveIntegerField()
    names = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("crowd")
        verbose_name_plural = _("crowds")
        constraints = [models.UniqueConstraint(fields=["match", "process"], name="one_crowd_per_process")]

    def __str__(self) -> str:
        return f"{self.match}: {self.watchers}"


class Pulse(models.Model):
    """One row: when a process that serves and one that runs the clock last said so, and up to when time counted."""

    web_at = models.DateTimeField(null=True)
    clock_at = models.DateTimeField(null=True)
    counted_until = models.DateTimeField()
    # From when on, after time had stood still, the turns of people begin: until then pages come back.
    resumed_at = models.DateTimeField()

    class Meta:
        verbose_name = _("pulse")
        verbose_name_plural = _("pulses")

    def __str__(self) -> str:
        return f"{self.counted_until}"


class DealStatistics(models.Model):
    """What ``manage.py deal_statistics`` counted in the deals of the public matches, a table for each kind of deal."""

    made_at = models.DateTimeField(auto_now_add=True)
    data = models.JSONField()

    class Meta:
        verbose_name = _("deal statistics")
        verbose_name_plural = _("deal statistics")
        get_latest_by = "made_at"

    def __str__(self) -> str:
        return str(self.made_at)
