"""What a report says: where something was seen, and why it is reported."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from games.enums import ReportReason

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
