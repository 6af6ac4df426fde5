"""The form for uploading a record: pasted, or as a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from games.records import validation
from games.records.decoding import MAX_RECORD_BYTES, decode_file
from games.records.import_errors import SeveralMatches, UnreadableRecord
from games.records.imported_match import ImportedMatch
from games.records.match_choice import match_choices

EITHER_TEXT_OR_FILE = _("Either paste a record or choose a file.")
FILE_TOO_LARGE = _("This file is too large for a match.")


class ImportForm(forms.Form):
    """A form whose cleaned data contain ``match``, the validated match.

    Of a text with several matches it offers a choice (``number``), and contains the text for the next attempt.
    """

    file = forms.FileField(
        label=_("File"),
        required=False,
        widget=forms.ClearableFileInput({"accept": ".json,.jsonl,.txt,.gz,text/plain"}),
    )
    text = forms.CharField(
        label=_("Or the text of a record"),
        required=False,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
        help_text=_("Either JSON or the short text that begins with “dominoes match”."),
    )
    number = forms.IntegerField(label=_("Match"), required=False, min_value=1, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError with the reason."""
        data = super().clean() or self.cleaned_data
        file, text = data.get("file"), data.get("text", "")
        if self.errors:
            return data
        if bool(file) == bool(text.strip()):
            raise ValidationError(EITHER_TEXT_OR_FILE)
        try:
            if file and file.size > MAX_RECORD_BYTES:
                raise ValidationError(FILE_TOO_LARGE)
            text = decode_file(file.read()) if file else text
            data["match"] = _validated_match(text, data.get("number"))
        except SeveralMatches as error:
            self._offer_choice(text, error.texts)
            raise ValidationError(str(error)) from error
        except UnreadableRecord as error:
            raise ValidationError(str(error)) from error
        return data

    def _offer_choice(self, text: str, matches: Sequence[str]) -> None:
        """Show the matches of a text. A browser would not send the same file again, so the form shows its text."""
        self.fields["number"].widget = forms.Select(choices=match_choices(matches))
        self.data = {**self.data, "text": text}
        self.files = MultiValueDict()


def _validated_match(text: str, number: int | None) -> ImportedMatch:
    """Return the match of a text, the one with this number if there are several. Raises UnreadableRecord."""
    try:
        return validation.validate_record(text)
    except SeveralMatches as error:
        if number is None or number > len(error.texts):
            raise
        return validation.validate_record(error.texts[number - 1])
