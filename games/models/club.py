"""Clubs and the people in them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import enums
from games.models.match import new_slug


class Club(models.Model):
    """A club of people with accounts. Closed clubs have no members, no text and no name of their own.

    - ``name_key``: the name for searches, unique; "" for a club whose name was taken away.
    - ``asks``: the leaders accept each new member. ``members_count``: without people who have only asked.
    - ``noticed_at``: when the members got the last notice about a tournament.
    """

    slug = models.CharField(max_length=12, unique=True, default=new_slug, editable=False)
    name = models.CharField(max_length=40)
    name_key = models.CharField(max_length=60, editable=False)
    text = models.TextField(max_length=1000, blank=True, default="")
    asks = models.BooleanField(default=False)
    members_count = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True)
    noticed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        constraints = [
            models.UniqueConstraint(fields=["name_key"], name="one_club_per_name", condition=~models.Q(name_key="")),
        ]
        indexes = [
            models.Index(fields=["-members_count", "id"], name="club_list", condition=models.Q(closed_at=None)),
        ]

    def __str__(self) -> str:
        return self.name


class ClubMember(models.Model):
    """A person in a club, also one who has asked to join, and one whom its leaders have removed.

    ``since``: when the person got this status.
    """

    Status = enums.ClubStatus
    IN_CLUB = (enums.ClubStatus.LEADER.value, enums.ClubStatus.MEMBER.value)

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_memberships")
    status = models.CharField(max_length=7)
    since = models.DateTimeField()

    class Meta:
        verbose_name = _("person in a club")
        verbose_name_plural = _("people in clubs")
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="one_membership_per_person")]
        indexes = [models.Index(fields=["club", "status", "id"], name="club_people")]

    def __str__(self) -> str:
        return f"{self.club}: {self.user}"
