"""People: who plays, how they like the site, and what moderators decided about them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import confusables

NAMES = frozenset({"name", "username"})


class User(AbstractUser):
    """A person. A guest has only a name and a colour and may become an account later, keeping the matches.

    The skeletons are the same for names that look alike: no account takes a name that looks like another's.
    """

    class Theme(models.TextChoices):
        SYSTEM = "system", _("same as device")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    class Felt(models.TextChoices):
        GREEN = "green", _("green")
        BLUE = "blue", _("blue")
        CLARET = "claret", _("claret")
        SLATE = "slate", _("slate")

    class Tiles(models.TextChoices):
        BONE = "bone", _("bone")
        DARK = "dark", _("dark")
        COLOURS = "colours", _("coloured pips")

    class Colour(models.TextChoices):
        RED = "red", _("red")
        ORANGE = "orange", _("orange")
        GREEN = "green", _("green")
        TEAL = "teal", _("teal")
        BLUE = "blue", _("blue")
        PURPLE = "purple", _("purple")
        PINK = "pink", _("pink")
        BROWN = "brown", _("brown")

    class Inviters(models.TextChoices):
        EVERYBODY = "all", _("everybody who follows me")
        FOLLOWED = "followed", _("only people I follow too")
        NOBODY = "nobody", _("nobody")

    name = models.CharField(_("name at the table"), max_length=30)
    colour = models.CharField(_("colour"), max_length=10, choices=Colour, default=Colour.TEAL)
    is_guest = models.BooleanField(_("guest"), default=False)
    language = models.CharField(_("language"), max_length=8, blank=True)
    theme = models.CharField(_("theme"), max_length=8, choices=Theme, default=Theme.SYSTEM)
    felt = models.CharField(_("felt"), max_length=8, choices=Felt, default=Felt.GREEN)
    tiles = models.CharField(_("tiles"), max_length=8, choices=Tiles, default=Tiles.BONE)
    sound = models.BooleanField(_("sound"), default=True)
    two_taps = models.BooleanField(_("play with two taps"), default=False)
    lists_watchers = models.BooleanField(_("names of spectators"), default=True)
    reads_typed = models.BooleanField(_("what others type"), default=True)
    followable = models.BooleanField(_("others may follow me"), default=True)
    may_invite = models.CharField(
        _("who may invite me to a table"), max_length=8, choices=Inviters, default=Inviters.EVERYBODY
    )
    mails_turns = models.BooleanField(_("mails when it is my turn"), default=True)
    mailed_at = models.DateTimeField(null=True, editable=False)
    has_notices = models.BooleanField(default=False, editable=False)
    name_skeleton = models.CharField(max_length=confusables.LONGEST, editable=False, default="")
    username_skeleton = models.CharField(max_length=confusables.LONGEST, editable=False, default="")
    ends = ""
    """Why the person's open sockets must close when the row has been saved (``receivers``)."""

    class Meta(AbstractUser.Meta):
        indexes = [
            models.Index(fields=["name_skeleton"], name="account_name", condition=models.Q(is_guest=False)),
            models.Index(fields=["username_skeleton"], name="account_username", condition=models.Q(is_guest=False)),
        ]

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        self.name_skeleton = confusables.skeleton(self.name)
        self.username_skeleton = confusables.skeleton(self.username)
        if update_fields is not None:
            update_fields = {*update_fields, *(f"{field}_skeleton" for field in NAMES.intersection(update_fields))}
        super().save(*args, update_fields=update_fields, **kwargs)

    def __str__(self) -> str:
        return self.name or self.username

    def check_password(self, raw_password: str | None) -> bool:
        """Return whether it is right. Only the login renews an old hash: elsewhere that would end the session."""
        return check_password(raw_password, self.password)


class Rating(models.Model):
    """Rating points a user has collected in one variant."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings")
    variant = models.CharField(max_length=20)
    points = models.IntegerField(default=0)
    matches = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [models.UniqueConstraint(fields=["user", "variant"], name="one_rating_per_variant")]

    def __str__(self) -> str:
        return f"{self.user} {self.variant} {self.points}"


class Block(models.Model):
    """A person wants nothing to do with another: the blocked one cannot watch or join the blocker's tables."""

    blocker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocked_by")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="one_block_per_pair"),
            models.CheckConstraint(condition=~models.Q(blocker=models.F("blocked")), name="nobody_blocks_themselves"),
        ]

    def __str__(self) -> str:
        return f"{self.blocker} blocks {self.blocked}"


class Follow(models.Model):
    """A person wants to find another again: the followed one's tables come first in the follower's lobby."""

    follower = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    followed = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="followed_by")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        constraints = [
            models.UniqueConstraint(fields=["follower", "followed"], name="one_follow_per_pair"),
            models.CheckConstraint(condition=~models.Q(follower=models.F("followed")), name="nobody_follows_self"),
        ]

    def __str__(self) -> str:
        return f"{self.follower} follows {self.followed}"


class Sanction(models.Model):
    """A sanction of a user by a moderator, with its reason, in force until ``until`` (None: permanently)."""

    class Kind(models.TextChoices):
        MUTE = "mute", _("muted")
        SUSPENSION = "suspend", _("suspended")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sanctions")
    kind = models.CharField(max_length=8, choices=Kind)
    reason = models.CharField(max_length=300)
    until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    lifted_at = models.DateTimeField(null=True, blank=True)
    # Of a suspended guest, for an hour: a keyed hash of the network address (``returning``).
    address = models.CharField(max_length=32, blank=True, default="", editable=False)
    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        permissions = [
            ("mute", "Can mute a person"),
            ("suspend", "Can suspend a person"),
            ("lift", "Can lift a sanction"),
            ("sanction_staff", "Can mute or suspend somebody of the staff"),
        ]
        indexes = [
            models.Index(fields=["user", "kind"], name="sanction_user"),
            models.Index(fields=["address"], name="sanction_address", condition=~models.Q(address="")),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_kind_display()}"

    @property
    def is_in_force(self) -> bool:
        return self.lifted_at is None and (self.until is None or self.until > timezone.now())


class Appeal(models.Model):
    """What a person says against a sanction, once; another moderator than the one of the sanction decides."""

    class Verdict(models.TextChoices):
        GRANTED = "granted", _("granted")
        REJECTED = "rejected", _("rejected")

    sanction = models.OneToOneField(Sanction, on_delete=models.CASCADE, related_name="appeal")
    words = models.CharField(max_length=1000)
    at = models.DateTimeField(auto_now_add=True)
    verdict = models.CharField(max_length=8, choices=Verdict, blank=True, default="")
    answer = models.CharField(max_length=300, blank=True, default="")
    decided_at = models.DateTimeField(null=True, blank=True)
    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        permissions = [("decide_appeal", "Can decide an appeal")]

    def __str__(self) -> str:
        return f"{self.sanction}: {self.words[:40]}"


class Notice(models.Model):
    """Something a person has to be told, shown on every page until they put it away.

    ``kind`` names the sentence, which applications register (``accounts.notices``), ``facts`` are what it tells.
    ``User.has_notices`` says without a query that there are some.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20)
    facts = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)
    put_away_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"


class PushSubscription(models.Model):
    """A browser in which a person wants to be told things while no page is open.

    It belongs to the browser's session, which knows the id of the row: it ends with the session, and ``expires_at``
    is when the session would by itself. ``failures`` are those in a row.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    failures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    def __str__(self) -> str:
        return f"{self.user}: {self.pk}"


class ModerationAct(models.Model):
    """One row for each thing a moderator did: who, what, to whom or what, and why.

    The database refuses to change or delete it (``append_only``).
    """

    class Act(models.TextChoices):
        WARN = "warn", _("warned")
        MUTE = "mute", _("muted")
        SUSPEND = "suspend", _("suspended")
        LIFT = "lift", _("lifted a sanction")
        REJECT = "reject", _("rejected an appeal")
        STOP = "stop", _("stopped a match")
        VOID = "void", _("declared a match void")
        REMOVE = "remove", _("removed from a seat")
        HIDE = "hide", _("hid a message")
        SHOW = "show", _("showed a message again")
        PROPOSE = "propose", _("proposed a decision")
        UPHOLD = "uphold", _("upheld a case")
        DISMISS = "dismiss", _("dismissed a case")

    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    act = models.CharField(max_length=30, choices=Act)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="moderation_acts"
    )
    target = models.CharField(max_length=1200)
    reason = models.CharField(max_length=300)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("moderation act")
        verbose_name_plural = _("moderation acts")
        indexes = [models.Index(fields=["target"], name="act_target")]

    def __str__(self) -> str:
        return f"{self.act} {self.target}"
