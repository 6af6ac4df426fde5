"""Changes of ratings by rated matches."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class EffectiveManager(models.Manager["RatingChange"]):
    """Leaves out the changes that were taken back."""

    def get_queryset(self) -> models.QuerySet[RatingChange]:
        return super().get_queryset().filter(taken_back=False)


class RatingChange(models.Model):
    """The rating of a person in a game before and after a match; the latest row contains the current rating.

    Rows are written in the order in which matches end. ``place`` is the place among the rated sides, ``of`` is the
    number of these sides, and ``expected`` the mean place predicted from the ratings before the match. ``weight`` is
    the fraction of the computed change that was applied. The row of a deleted person stays without the person, because
    others were rated against it. Rows that a moderator has ``taken_back`` are in ``all_objects``, not in ``objects``.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="rating_changes")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="rating_changes"
    )
    variant = models.CharField(max_length=20)
    at = models.DateTimeField()
    seat = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    of = models.PositiveSmallIntegerField(default=2)
    expected = models.FloatField(default=0)
    weight = models.FloatField(default=1)
    mu_before = models.FloatField(default=0)
    sigma_before = models.FloatField(default=0)
    mu = models.FloatField(default=0)
    sigma = models.FloatField(default=0)
    taken_back = models.BooleanField(default=False)

    objects = EffectiveManager()
    all_objects = models.Manager()  # noqa: DJ012 (a manager, too)

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_rating_change_per_seat")]
        indexes = [
            models.Index(fields=["user", "variant", "-id"], name="rating_of_user"),
            models.Index(fields=["variant", "at"], name="ratings_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.variant} {self.mu:.2f}"
