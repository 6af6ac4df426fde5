"""A match, from the open table to the result."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import enums

SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_slug() -> str:
    """Return an unguessable address of 12 characters (59 bits) without look-alikes."""
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(12))


class Match(models.Model):
    """A match, from the open table to the result. Only the record contains the position."""

    Status = enums.Status
    UNFINISHED = enums.UNFINISHED_STATUSES
    Clock = enums.Clock
    Visibility = enums.Visibility
    Delay = enums.Delay
    Absence = enums.AbsencePolicy
    Talk = enums.ChatPolicy
    Due = enums.Due
    NoPoints = enums.NoPointsReason

    slug = models.CharField(max_length=12, unique=True, default=new_slug, editable=False)
    variant = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    seat_count = models.PositiveSmallIntegerField(default=4)
    clock = models.CharField(max_length=8, choices=Clock, default=Clock.NORMAL)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    rated = models.BooleanField(default=False)
    no_points = models.CharField(max_length=8, choices=NoPoints, blank=True, default="")
    delay = models.CharField(max_length=5, choices=Delay, default=Delay.NONE)
    absence = models.CharField(max_length=8, choices=Absence, default=Absence.HOLD)
    talk = models.CharField(max_length=8, choices=enums.ChatPolicy, default=enums.ChatPolicy.FREE)
    # The limit of the chats of this table and its rematches, stored with the first match (``games.chat.limits``).
    chat_limit = models.CharField(max_length=6, choices=enums.ChatLimit, blank=True, default="")
    chat_limit_until = models.DateTimeField(null=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="hosted_matches"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    # When the detectors examined the finished match.
    looked_at = models.DateTimeField(null=True, editable=False)
    # With a delay: when the end becomes public.
    public_at = models.DateTimeField(null=True)
    # The final scores, so that lists of matches do not have to read the record.
    standing = models.TextField(blank=True, default="", editable=False)
    rematch = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="rematch_of")

    # The first match of a series of rematches.
    series = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="rematches")

    # The fair deal: the secret stays on the server until the match is over.
    secret = models.CharField(max_length=64, editable=False)
    commitment = models.CharField(max_length=64, editable=False)

    # A board: the name of its set, its number there, and the text from the nonces of the set; "" and 0 elsewhere. The
    # secret is that of the set.
    source = models.CharField(max_length=40, blank=True, default="", db_default="", editable=False)
    board = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    entropy = models.CharField(max_length=64, blank=True, default="", db_default="", editable=False)

    # Why a moderator declared the match void, for those who may still see it.
    void_reason = models.CharField(max_length=300, blank=True, default="")
    # The values that a moderator's reversal of the result has replaced, to undo it (``games.moderation.reversals``).
    reversals = models.JSONField(default=dict, blank=True, editable=False)

    # Whether somebody has opened it: such a match between bots is not deleted.
    visited = models.BooleanField(default=False)

    # The state of the record, written in the transaction of each move. ``revision`` counts all visible changes, also
    # those that are not events: a taken seat, a ready player, a chat line.
    version = models.PositiveIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0)
    deal_version = models.PositiveIntegerField(default=0)
    round = models.PositiveIntegerField(default=0)
    to_move = models.PositiveSmallIntegerField(null=True)

    # Time: the start of the turn, the banks in milliseconds by seat, and the next due event.
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
            ("settle_match", "Can end a match against a player"),
            ("take_ratings_back", "Can take back what a match did to ratings"),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="match_due", condition=models.Q(due_at__isnull=False)),
            models.Index(fields=["public_at"], name="match_public", condition=models.Q(public_at__isnull=False)),
            models.Index(fields=["status", "-created_at"], name="match_status"),
            models.Index(fields=["-finished_at", "-id"], name="match_finished"),
            models.Index(fields=["variant", "-finished_at", "-id"], name="match_variant"),
            models.Index(fields=["source", "board"], name="match_board", condition=~models.Q(source="")),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def has_delay(self) -> bool:
        return self.delay != self.Delay.NONE
