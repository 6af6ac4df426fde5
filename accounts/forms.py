"""Forms for guests, settings and account deletion, and allauth's forms with this site's texts."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account
from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base import forms as mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.login.attempts import LoginAttempt
from accounts.login.guests import random_colour
from accounts.login.hashing import upgrade_hash
from accounts.login.second_factors import use_code
from accounts.models import User
from accounts.names.rules import MAX_INPUT_LENGTH, clean_name, refuse_taken_name, suggest_name


class ColourSelect(forms.RadioSelect):
    template_name = "accounts/colour_choices.html"


class LookSelect(forms.RadioSelect):
    """Radio buttons drawn as tiles on felt."""

    template_name = "accounts/look_choices.html"


class NameField(forms.CharField):
    """A name. The field takes more characters than a name may have: pasted accents may be characters of their own."""

    widget = forms.TextInput({"autocomplete": "nickname", "maxlength": MAX_INPUT_LENGTH})

    def __init__(self, **options: Any) -> None:
        super().__init__(label=_("Your name at the table"), **options)


class GuestForm(forms.Form):
    name = NameField(initial=suggest_name)
    colour = forms.ChoiceField(
        label=_("Your colour"), choices=User.Colour.choices, widget=ColourSelect, initial=random_colour
    )

    def clean_name(self) -> str:
        name = clean_name(self.cleaned_data["name"])
        refuse_taken_name(name)
        return name


class LooksForm(forms.ModelForm):  # type: ignore[type-arg]  # only the stubs are generic
    """The look of the table."""

    class Meta:
        model = User
        fields: tuple[str, ...] = ("felt", "tiles")
        labels = {"felt": _("Felt"), "tiles": _("Tiles")}
        widgets: dict[str, type[forms.Widget]] = {"felt": LookSelect, "tiles": LookSelect}


class SettingsForm(LooksForm):
    """The settings page."""

    name = NameField(help_text=_("Matches you have already joined keep the name you had there."))
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", pgettext_lazy("language", "same as browser")), *settings.LANGUAGES],
        required=False,
    )

    class Meta(LooksForm.Meta):
        fields = ("name", "colour", "language", "theme", *LooksForm.Meta.fields, "sound", "two_taps", "auto_draw")
        fields += ("clock_digits", "lists_watchers", "reads_typed", "followable", "may_invite")
        fields += ("in_open_data", "mails_turns")
        labels = LooksForm.Meta.labels | {
            "colour": _("Your colour"),
            "theme": _("Theme"),
            "sound": _("Play sounds at the table"),
            "two_taps": _("Play a tile with two taps"),
            "auto_draw": _("Draw for me when nothing fits"),
            "clock_digits": _("Show the seconds of every turn"),
            "lists_watchers": _("Show who is watching a table"),
            "reads_typed": _("Show what others type in the chat"),
            "followable": _("Let others follow me"),
            "may_invite": _("Who may invite me to a table"),
            "in_open_data": _("Publish my matches in the open data"),
            "mails_turns": _("Email me when it’s my turn in a daily match"),
        }
        help_texts = {
            "two_taps": _("The first tap selects a tile, the second plays it. When this is off, one tap plays."),
            "auto_draw": _("Also in games in which a drawn tile costs points."),
            "clock_digits": _("When this is off, a clock shows its last ten seconds only."),
            "lists_watchers": _("When this is off, you see only how many are watching."),
            "reads_typed": _("When this is off, you read only preset phrases."),
            "followable": _("When this is off, nobody can follow you, and your current followers are removed."),
            "may_invite": _("Guests can only invite you if you follow them."),
            "in_open_data": _("Without your name. When this is off, your matches are missing from future files."),
            "mails_turns": _("Sent once half your time is gone, at most every six hours."),
        }
        widgets = LooksForm.Meta.widgets | {"colour": ColourSelect}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name == self.initial["name"]:
            return name
        refuse_taken_name(name := clean_name(name), by=self.instance.pk)
        return name


class DeletionForm(forms.Form):
    """Confirms a deletion with the password, or with the typed name if there is no password."""

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if user.has_usable_password():
            self.fields["password"] = forms.CharField(
                label=_("Your password"),
                strip=False,
                widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
            )
        else:
            self.fields["name"] = forms.CharField(
                label=_("Your name, to confirm"),
                help_text=_("Type it exactly: %(name)s") % {"name": user.name},
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not get_adapter().reauthenticate(self.user, password):
            raise ValidationError(_("This is not your password."), code="password")
        return password

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.user.name:
            raise ValidationError(_("This is not your name."), code="name")
        return name


class LabelsMixin:
    """Replaces the texts of an allauth form, and removes placeholders, which only repeat the labels."""

    fields: dict[str, forms.Field]
    labels: dict[str, Any] = {}
    help_texts: dict[str, Any] = {}
    attributes: dict[str, dict[str, str]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.widget.attrs.update(self.attributes.get(name, {}))
            field.label = self.labels.get(name, field.label)
            field.help_text = self.help_texts.get(name, field.help_text)


USERNAME_ATTRIBUTES = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
CODE_ATTRIBUTES = {"inputmode": "numeric"}
PASSWORD_RULES = _("At least 8 characters, not only digits, not a common password and not similar to your name.")


class LoginForm(LabelsMixin, account.LoginForm):
    attributes = {"login": USERNAME_ATTRIBUTES}
    labels = {"login": _("User name or email address"), "password": _("Password")}
    help_texts = {"login": _("You can use your email address once you have confirmed it."), "password": ""}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        if self.user:
            upgrade_hash(self.user, cleaned["password"])
        return cleaned


class SignupForm(LabelsMixin, account.SignupForm):
    attributes = {"username": USERNAME_ATTRIBUTES}
    labels = {
        "username": _("User name"),
        "email": _("Email address"),
        "password1": _("Password"),
        "password2": _("Password, again"),
    }
    help_texts = {
        "username": _("You log in with this. It is also your name at the table until you change it."),
        "email": _("In case you forget your password. Nobody else sees it."),
        "password1": PASSWORD_RULES,
    }


class AddEmailForm(LabelsMixin, account.AddEmailForm):
    labels = {"email": _("Email address")}


class ChangePasswordForm(LabelsMixin, account.ChangePasswordForm):
    labels = {
        "oldpassword": _("Current password"),
        "password1": _("New password"),
        "password2": _("New password, again"),
    }
    help_texts = {"oldpassword": "", "password1": PASSWORD_RULES}


class SetPasswordForm(LabelsMixin, account.SetPasswordForm):
    labels = {"password1": _("New password"), "password2": _("New password, again")}
    help_texts = {"password1": PASSWORD_RULES}


class ResetPasswordForm(LabelsMixin, account.ResetPasswordForm):
    labels = {"email": _("Email address")}


class ResetPasswordKeyForm(LabelsMixin, account.ResetPasswordKeyForm):
    labels = {"password1": _("New password"), "password2": _("New password, again")}
    help_texts = {"password1": PASSWORD_RULES}


class ReauthenticateForm(LabelsMixin, account.ReauthenticateForm):
    labels = {"password": _("Password")}
    help_texts = {"password": ""}


class CodeLimitMixin(LabelsMixin, mfa.BaseAuthenticateForm):
    """Limits wrong codes like wrong passwords, and accepts a code of the app only once."""

    attributes = {"code": CODE_ATTRIBUTES}
    labels = {"code": _("Code")}
    help_texts = {"code": _("From your authenticator app, or one of your recovery codes.")}

    def clean_code(self) -> str:
        attempt = LoginAttempt(context.request, factor="code", login=str(self.user.pk), user_id=self.user.pk)
        code = super().clean_code()
        is_app_code = self.authenticator.type == Authenticator.Type.TOTP
        if is_app_code and not use_code(self.authenticator, code):
            raise get_mfa_adapter().validation_error("incorrect_code")
        attempt.roll_back()
        return code


class CodeForm(CodeLimitMixin, mfa.AuthenticateForm):
    pass


class ReauthenticateCodeForm(CodeLimitMixin, mfa.ReauthenticateForm):
    pass


class ActivateTOTPForm(LabelsMixin, totp.ActivateTOTPForm):
    attributes = {"code": CODE_ATTRIBUTES}
    labels = {"code": _("Code from the app")}
