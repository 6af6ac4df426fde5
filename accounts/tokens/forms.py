"""The form that creates a token."""

from __future__ import annotations

from datetime import datetime, timedelta

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models.api_token import MAX_NAME_LENGTH, ApiToken
from accounts.names.rules import MAX_INPUT_LENGTH
from accounts.tokens.issuing import SCOPES_OF_PEOPLE


class BotForm(forms.Form):
    bot_name = forms.CharField(
        label=_("Name of the bot"), max_length=MAX_INPUT_LENGTH, widget=forms.TextInput({"autocomplete": "off"})
    )


class TokenForm(forms.Form):
    name = forms.CharField(
        # Translators: the name that a person gives to a token of the API, such as "my statistics"
        label=_("Name of the token"),
        max_length=MAX_NAME_LENGTH,
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=[(scope.value, scope.label) for scope in SCOPES_OF_PEOPLE],
        initial=[ApiToken.Scope.READ.value],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.ChoiceField(
        label=_("Valid for"),
        choices=[
            ("30", _("30 days")),
            ("90", _("90 days")),
            ("365", _("one year")),
            ("", pgettext_lazy("validity of a token", "until you revoke it")),
        ],
        initial="90",
        required=False,
    )

    @property
    def expires_at(self) -> datetime | None:
        """The end of the token, None without an end."""
        days = self.cleaned_data["days"]
        return timezone.now() + timedelta(days=int(days)) if days else None
