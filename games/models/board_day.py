"""The daily boards of a game."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _


class BoardDay(models.Model):
    """The boards of one game on one day, which all have one secret (``games.services.board_days``).

    - ``secret``, ``commitment``: drawn a day before, when nobody had given a nonce for the ``entropy``.
    - ``nonces``: of the entrants of the day before, in the order of their entry, "" for a person who gave none.
    - ``ranked_entrants``: how many of these people could be ranked. Guests must not be able to multiply the sets.
    - ``sets``: how many sets of boards there are, 0 until the day opens. ``bots_version``: of the opponents.
    - ``levels``: the scores of all sides by name of the set, board and level of the bot in the person's seat.
    - ``ranked``: the ids of the people who have a place in the standing, from the close on.
    - ``due_at``: when the day opens, then when it closes; while a process works on it, the end of its lease.
    """

    CLOSE_GRACE = timedelta(minutes=15)  # to finish a board that was begun before midnight, and after an outage

    variant = models.CharField(max_length=20)
    date = models.DateField()
    secret = models.CharField(max_length=64, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    entropy = models.CharField(max_length=64, blank=True, default="", editable=False)
    nonces = models.JSONField(default=list, db_default=[], editable=False)
    ranked_entrants = models.PositiveIntegerField(default=0, db_default=0)
    sets = models.PositiveSmallIntegerField(default=0)
    bots_version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    levels = models.JSONField(default=dict, editable=False)
    ranked = models.JSONField(default=list, db_default=[], editable=False)
    due_at = models.DateTimeField(null=True, db_index=True)

    class Meta:
        verbose_name = _("day of boards")
        verbose_name_plural = _("days of boards")
        constraints = [models.UniqueConstraint(fields=["variant", "date"], name="one_day_of_boards")]

    def __str__(self) -> str:
        return f"{self.variant} {self.date}"

    @property
    def next_step_at(self) -> datetime:
        """When the day opens, or closes once it is open."""
        start = datetime.combine(self.date, time(), UTC)
        return start if self.opened_at is None else start + timedelta(days=1) + self.CLOSE_GRACE
