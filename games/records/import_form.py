"""The form for uploading a record: pasted, or as a file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.records import validation
from games.records.decoding import MAX_RECORD_BYTES, decode_file
from games.records.import_errors import UnreadableRecord

EITHER_TEXT_OR_FILE = _("Either paste a record or choose a file.")
FILE_TOO_LARGE = _("This file is too large for a match.")


class ImportForm(forms.Form):
    """A form whose cleaned data contain ``match``, the validated match."""

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
            data["match"] = validation.validate_record(decode_file(file.read()) if file else text)
        except UnreadableRecord as error:
            raise ValidationError(str(error)) from error
        return data
