"""What a report says: where something was seen, and why it is reported."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction
from accounts.reasons import REASONS, reason_text
from accounts.sanction_form import FOR_GOOD, LENGTHS
from games.enums import Measure, ReportReason

LARGEST = 2**31 - 1


class PlaceForm(forms.Form):
    """A line of chat, or a person, or a match: one of them says who may be meant."""

    line = forms.IntegerField(required=False, min_value=1, max_value=LARGEST, widget=forms.HiddenInput)
    match = forms.SlugField(required=False, widget=forms.HiddenInput)
    step = forms.IntegerField(required=False, min_value=0, max_value=LARGEST, widget=forms.HiddenInput)
    person = forms.IntegerField(required=False, min_value=1, max_value=LARGEST)


class ReportForm(PlaceForm):
    reason = forms.ChoiceField(choices=ReportReason)
    words = forms.CharField(
        label=_("Anything the moderators should know (optional)"),
        required=False,
        max_length=300,
        widget=forms.Textarea({"rows": 2}),
    )


class DecisionForm(forms.Form):
    """All of a decision.

    Cleans to ``measure``, ``scope``, ``until`` (None: for good), ``hide``, ``settle``, ``void``, ``ratings``,
    ``reason`` and ``note``.
    """

    measure = forms.ChoiceField(label=_("Measure"), choices=Measure, widget=forms.RadioSelect)
    scope = forms.ChoiceField(label=_("Where, if they are muted"), choices=Sanction.Scope, required=False)
    length = forms.ChoiceField(
        label=_("How long, if they are muted, paused or suspended"),
        choices=[*((key, text) for key, (text, _length) in LENGTHS.items()), (FOR_GOOD, _("permanently"))],
        initial="day",
    )
    hide = forms.BooleanField(label=_("Hide the reported lines"), required=False)
    settle = forms.BooleanField(label=_("End the reported matches that still run against the person"), required=False)
    void = forms.BooleanField(label=_("Declare the reported matches void"), required=False)
    ratings = forms.BooleanField(
        label=_("Take back what the reported matches did to ratings; their results stay"), required=False
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        widget=forms.TextInput({"list": "reasons", "autocomplete": "off", "class": "vTextField"}),
        help_text=_("It is kept in the log, and the person concerned can read it."),
    )
    note = forms.CharField(
        label=_("Note for other moderators"),
        required=False,
        max_length=300,
        widget=forms.TextInput({"autocomplete": "off", "class": "vTextField"}),
        help_text=_("It stays with the case; nobody else reads it."),
    )

    @property
    def proposal(self) -> dict[str, str]:
        """Return the fields as they were sent, to begin with them again."""
        return {name: str(self.data[name])[:300] for name in self.fields if name in self.data}

    @property
    def reasons(self) -> list[tuple[str, str]]:
        """Return what is proposed as a reason, with how the moderator reads it."""
        return [(reason, reason_text(reason)) for reason in REASONS]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        length = cleaned.pop("length", FOR_GOOD)
        return cleaned | {"until": None if length == FOR_GOOD else timezone.now() + LENGTHS[length][1]}
