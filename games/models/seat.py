"""The seats of matches, with the columns by which the history is searched."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import enums
from games.models.match import Match

NEWEST_END_FIRST = ("-finished_at", "-match")


class Seat(models.Model):
    """A seat of a match, taken by a person, a bot, or nobody. It keeps the name that its player had.

    A seat with a user and a bot: the bot plays for an absent person (``state``). ``holds`` counts how often it took
    over, ``vote`` is the person's vote on the absence of others. ``last_seen`` is a lease that a connected page
    renews, ``left_at`` the time when the last page was closed. ``away`` is shown at the table after the lease has
    expired, or soon after the page was closed. ``lag_ms`` is the last measured round trip between the site and the
    page, ``lag_credited_ms`` the part of it that was added to the time of this round.
    """

    Outcome = enums.Outcome
    Rematch = enums.RematchAnswer
    State = enums.SeatState
    Vote = enums.Vote

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    bot = models.CharField(max_length=20, blank=True)
    name = models.CharField(max_length=30, blank=True)
    colour = models.CharField(max_length=10, blank=True)
    # The player's part of the shuffle: the commitment, and the nonce once it is open.
    nonce_commitment = models.CharField(max_length=64, blank=True)
    nonce = models.CharField(max_length=64, blank=True)
    ready = models.BooleanField(default=False)
    last_seen = models.DateTimeField(null=True)
    left_at = models.DateTimeField(null=True)
    away = models.BooleanField(default=False)
    lag_ms = models.PositiveSmallIntegerField(default=0)
    lag_credited_ms = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=9, choices=State, default=State.ACTIVE)
    # Removed by a moderator during the match.
    removed = models.BooleanField(default=False)
    holds = models.PositiveSmallIntegerField(default=0)
    vote = models.CharField(max_length=4, choices=Vote, blank=True, default="")
    # The last mail about a daily match.
    reminded_at = models.DateTimeField(null=True)
    # The last turn with a push notification, or of which the player saw the start: its time and version.
    pushed_at = models.DateTimeField(null=True)
    pushed_version = models.PositiveIntegerField(null=True)
    # How many ``holds`` the player was notified of, or saw.
    pushed_holds = models.PositiveSmallIntegerField(default=0)
    place = models.PositiveSmallIntegerField(null=True)
    points_gain = models.SmallIntegerField(null=True)
    rematch = models.CharField(max_length=8, choices=Rematch, blank=True, default="")
    # In a rated match until it is over, and while a rematch of one is offered: a keyed hash of the network address.
    address = models.CharField(max_length=32, blank=True, default="", editable=False)

    # The columns by which the history is searched and sorted without a join, written at the end of the match.
    # ``name_key`` is empty for bots and for deleted people.
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
            # Covers the lists of a person with all their filters: such a list reads the index alone.
            models.Index(fields=["user", *NEWEST_END_FIRST, "variant", "outcome", "listed"], name="seat_user"),
            models.Index(fields=["name_key", *NEWEST_END_FIRST, "variant", "outcome", "listed"], name="seat_name"),
            models.Index(fields=["outcome", *NEWEST_END_FIRST, "variant", "listed"], name="seat_outcome"),
            # The few offers that wait for an answer.
            models.Index(fields=["match"], name="seat_offers", condition=models.Q(rematch="offered")),
        ]

    def __str__(self) -> str:
        return f"{self.index}: {self.name}"
