"""A person, and their settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.names import confusables
from infrastructure.languages import language_if_offered

NAME_FIELDS = frozenset({"name", "username"})


class User(AbstractUser):
    """A guest or an account. A guest has only a name and a colour, and keeps the matches when it becomes an account.

    Names that look alike have the same skeleton, so that no account takes a name that looks like another's.
    """

    class Theme(models.TextChoices):
        SYSTEM = "system", pgettext_lazy("theme", "same as device")
        LIGHT = "light", pgettext_lazy("theme", "light")
        DARK = "dark", pgettext_lazy("theme", "dark")

    class Felt(models.TextChoices):
        GREEN = "green", pgettext_lazy("felt of the table", "green")
        BLUE = "blue", pgettext_lazy("felt of the table", "blue")
        CLARET = "claret", pgettext_lazy("felt of the table", "claret")
        SLATE = "slate", pgettext_lazy("felt of the table", "slate")

    class Tiles(models.TextChoices):
        BONE = "bone", pgettext_lazy("tiles", "bone")
        DARK = "dark", pgettext_lazy("tiles", "dark")
        COLOURS = "colours", pgettext_lazy("tiles", "coloured pips")

    class Colour(models.TextChoices):
        RED = "red", pgettext_lazy("colour of a person", "red")
        ORANGE = "orange", pgettext_lazy("colour of a person", "orange")
        GREEN = "green", pgettext_lazy("colour of a person", "green")
        TEAL = "teal", pgettext_lazy("colour of a person", "teal")
        BLUE = "blue", pgettext_lazy("colour of a person", "blue")
        PURPLE = "purple", pgettext_lazy("colour of a person", "purple")
        PINK = "pink", pgettext_lazy("colour of a person", "pink")
        BROWN = "brown", pgettext_lazy("colour of a person", "brown")

    class Inviters(models.TextChoices):
        EVERYBODY = "all", pgettext_lazy("permission to invite me", "everybody who follows me")
        FOLLOWED = "followed", pgettext_lazy("permission to invite me", "only people I follow too")
        NOBODY = "nobody", pgettext_lazy("permission to invite me", "nobody")

    name = models.CharField(_("name at the table"), max_length=30)
    colour = models.CharField(_("colour"), max_length=10, choices=Colour, default=Colour.TEAL)
    is_guest = models.BooleanField(_("guest"), default=False)
    language = models.CharField(_("language"), max_length=8, blank=True)
    # Of the last page, which may be the browser's: for emails and notifications.
    last_language = models.CharField(max_length=8, blank=True, default="", editable=False)
    theme = models.CharField(_("theme"), max_length=8, choices=Theme, default=Theme.SYSTEM)
    felt = models.CharField(_("felt"), max_length=8, choices=Felt, default=Felt.GREEN)
    tiles = models.CharField(_("tiles"), max_length=8, choices=Tiles, default=Tiles.BONE)
    sound = models.BooleanField(_("sound"), default=True)
    two_taps = models.BooleanField(_("play with two taps"), default=False)
    auto_draw = models.BooleanField(_("draw when nothing fits"), default=False)
    clock_digits = models.BooleanField(_("seconds on the clock"), default=False)
    lists_watchers = models.BooleanField(_("names of spectators"), default=True)
    reads_typed = models.BooleanField(_("what others type"), default=True)
    followable = models.BooleanField(_("others may follow me"), default=True)
    may_invite = models.CharField(
        _("who may invite me to a table"), max_length=8, choices=Inviters, default=Inviters.EVERYBODY
    )
    in_open_data = models.BooleanField(_("matches in the open data"), default=True, db_default=True)
    mails_turns = models.BooleanField(_("mails when it is my turn"), default=True)
    mailed_at = models.DateTimeField(null=True, editable=False)
    # Set by a moderator: the person can only read why the account is closed.
    is_closed = models.BooleanField(default=False, editable=False)
    has_notices = models.BooleanField(default=False, editable=False)
    # Part of the session hash: an increment ends all sessions, like a new password.
    session_epoch = models.PositiveIntegerField(default=0, editable=False)
    name_skeleton = models.CharField(max_length=confusables.MAX_SKELETON_LENGTH, editable=False, default="")
    username_skeleton = models.CharField(max_length=confusables.MAX_SKELETON_LENGTH, editable=False, default="")
    # The account that answers for a bot, which plays by the API and cannot log in.
    bot_owner = models.ForeignKey(
        "self", null=True, blank=True, editable=False, on_delete=models.CASCADE, related_name="bots"
    )
    access_end_code = ""  # why open sockets must close once the row is saved (``receivers``)

    class Meta(AbstractUser.Meta):
        indexes = [
            models.Index(fields=["name_skeleton"], name="account_name", condition=models.Q(is_guest=False)),
            models.Index(fields=["username_skeleton"], name="account_username", condition=models.Q(is_guest=False)),
        ]

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        self.name_skeleton = confusables.skeleton(self.name)
        self.username_skeleton = confusables.skeleton(self.username)
        if update_fields is not None:
            update_fields = {
                *update_fields,
                *(f"{field}_skeleton" for field in NAME_FIELDS.intersection(update_fields)),
            }
        super().save(*args, update_fields=update_fields, **kwargs)

    def get_session_auth_hash(self) -> str:
        return self._with_session_epoch(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        return map(self._with_session_epoch, super().get_session_auth_fallback_hash())

    @property
    def is_bot(self) -> bool:
        return self.bot_owner_id is not None

    @property
    def mail_language(self) -> str:
        """The language of emails and notifications: the chosen one, otherwise that of the last page."""
        languages = map(language_if_offered, (self.language, self.last_language))
        return next(filter(None, languages), settings.LANGUAGE_CODE)

    def _with_session_epoch(self, session_hash: str) -> str:
        return f"{session_hash}:{self.session_epoch}" if self.session_epoch else session_hash

    def __str__(self) -> str:
        return self.name or self.username

    def check_password(self, raw_password: str | None) -> bool:
        """Return True if it is right, without renewing an old hash, which would end the session."""
        return check_password(raw_password, self.password)
