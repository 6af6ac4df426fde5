"""The form of a club."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.names.rules import MAX_INPUT_LENGTH as MAX_NAME_INPUT_LENGTH
from games.clubs.founding import Description
from games.clubs.texts import ENTRIES
from games.clubs.wording import MAX_INPUT_LENGTH, clean_club_name, clean_club_text
from games.lobby.forms import RadioField
from games.models import Club


class ClubForm(forms.Form):
    """What founders and leaders decide about a club."""

    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_INPUT_LENGTH)
    text = forms.CharField(
        label=_("About the club"),
        required=False,
        max_length=MAX_INPUT_LENGTH,
        widget=forms.Textarea({"rows": 6}),
    )
    entries = RadioField(label=_("New members"), choices=ENTRIES, initial="open")

    def clean_name(self) -> str:
        return clean_club_name(self.cleaned_data["name"])

    def clean_text(self) -> str:
        return clean_club_text(self.cleaned_data["text"])

    @property
    def description(self) -> Description:
        data = self.cleaned_data
        return Description(data["name"], data["text"], data["entries"] == "asks")


def values_of(club: Club) -> dict[str, str]:
    """Return what the form shows of a club."""
    return {"name": club.name, "text": club.text, "entries": "asks" if club.asks else "open"}
