"""The form in which a moderator says how long and why."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction
from infrastructure.admin_acts import ReasonForm

UNTIL, FOR_GOOD = "until", "for_good"
LENGTHS = {
    "hour": (_("one hour"), timedelta(hours=1)),
    "day": (_("one day"), timedelta(days=1)),
    "week": (_("one week"), timedelta(weeks=1)),
    "month": (_("thirty days"), timedelta(days=30)),
}


class SanctionForm(ReasonForm):
    """Cleans to ``reason`` and ``until`` (None: for good), which for several people is never for good."""

    length = forms.ChoiceField(
        label=_("How long"),
        choices=[
            *((key, text) for key, (text, _length) in LENGTHS.items()),
            (UNTIL, _("until a date")),
            (FOR_GOOD, _("permanently")),
        ],
    )
    until = forms.DateTimeField(
        label=_("Until (UTC)"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    field_order = ("length", "until", "reason")

    def __init__(self, data: Any = None, *, subjects: int = 1) -> None:
        super().__init__(data, subjects=subjects)
        if subjects > 1:
            del self.fields["until"]
            self.fields["length"] = forms.ChoiceField(
                label=_("How long"),
                choices=[(key, text) for key, (text, _length) in LENGTHS.items()],
                help_text=_("Permanently, or until a certain time: only for one person at a time."),
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        length = cleaned.pop("length", None)
        until = cleaned.get("until")
        if length == UNTIL and not until and "until" not in self.errors:
            raise ValidationError({"until": _("Enter a time.")})
        if length in LENGTHS:
            until = timezone.now() + LENGTHS[length][1]
        elif length == FOR_GOOD:
            until = None
        return cleaned | {"until": until}


class MuteForm(SanctionForm):
    """Says where the person cannot write, too: the clean data has a ``scope``."""

    scopes: tuple[Sanction.Scope, ...] = (Sanction.Scope.EVERYWHERE, Sanction.Scope.SPECTATORS)

    def __init__(self, data: Any = None, *, subjects: int = 1) -> None:
        super().__init__(data, subjects=subjects)
        choices = [(scope.value, scope.label) for scope in self.scopes]
        self.fields["scope"] = forms.ChoiceField(label=_("Where"), choices=choices, required=False)
        self.order_fields(("scope", *self.field_order))


class TableMuteForm(MuteForm):
    """Offers the table where something was written as well."""

    scopes = (*MuteForm.scopes, Sanction.Scope.TABLE)
