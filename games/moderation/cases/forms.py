"""Forms for reporting people, deciding cases and opening them by hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from accounts.sanctions import measures
from accounts.sanctions.measures import CHOSEN_LENGTHS, Length
from accounts.sanctions.reasons import ALL_REASONS, NO_ACTION, REASONS, reason_choices
from games.enums import CaseArea, MatchCorrection, ReportReason, VerdictOnly
from games.models import Case
from infrastructure.admin import reason_field

MAX_PRIMARY_KEY = 2**31 - 1
UNTIL, FOR_GOOD = "until", "for_good"
DECISIONS = [*VerdictOnly.choices, *measures.FORM_CHOICES]
REPORT_REASONS = [(reason.value, reason.label) for reason in ReportReason if reason != ReportReason.BY_HAND]


class PlaceForm(forms.Form):
    """The subject of a report: a line of chat at a match, a step of a match, the leaders of a club, or a person."""

    line = forms.IntegerField(required=False, min_value=1, max_value=MAX_PRIMARY_KEY, widget=forms.HiddenInput)
    match = forms.SlugField(required=False, widget=forms.HiddenInput)
    step = forms.IntegerField(required=False, min_value=0, max_value=MAX_PRIMARY_KEY, widget=forms.HiddenInput)
    club = forms.SlugField(required=False, widget=forms.HiddenInput)
    person = forms.IntegerField(required=False, min_value=1, max_value=MAX_PRIMARY_KEY)


class ReportForm(PlaceForm):
    reason = forms.ChoiceField(choices=REPORT_REASONS)
    words = forms.CharField(
        label=_("Anything the moderators should know (optional)"),
        required=False,
        max_length=300,
        widget=forms.Textarea({"rows": 2}),
    )


class PreviewedChoices(forms.RadioSelect):
    """Radio buttons, each with a preview of its effect.

    Their attributes say whether a length or scope is needed, and whether this moderator can only propose the choice.
    """

    option_template_name = "admin/case/option_with_preview.html"
    previews: Mapping[str, str] = {}
    proposed: Collection[str] = ()

    def create_option(self, name: str, value: Any, *args: Any, **options: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **options) | {"preview": self.previews.get(str(value), "")}
        if str(value) in self.proposed:
            option["is_proposal"] = True
            option["attrs"]["data-proposed"] = ""
        if value in Sanction.Kind:
            measure = measures.MEASURES[Sanction.Kind(value)]
            needs = {"data-timed": measure.length == Length.CHOSEN, "data-scoped": measure.has_scope}
            option["attrs"] |= {name: "" for name, is_needed in needs.items() if is_needed}
        return option


class ReasonChoices(forms.RadioSelect):
    """Radio buttons of common reasons. Their attributes say whether they belong to a dismissal or to anything else."""

    def create_option(self, name: str, value: Any, *args: Any, **options: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **options)
        option["attrs"]["data-dismissed" if value in REASONS[NO_ACTION] else "data-upheld"] = ""
        return option


class LineNumbers(forms.TypedMultipleChoiceField):
    """The ids of chat lines, ticked in the timelines. ``decisions`` checks that they belong to the case."""

    def __init__(self) -> None:
        super().__init__(coerce=int, required=False, widget=forms.MultipleHiddenInput)

    def valid_value(self, value: Any) -> bool:
        return str(value).isdecimal() and int(value) <= MAX_PRIMARY_KEY


class DecisionForm(forms.Form):
    """A whole decision. Acts on lines and matches are offered only if ``previews`` has them.

    ``previews`` describe the effect of each choice at this moment. Cleans to ``measure``, ``scope``, ``until`` (None:
    permanently), ``reason``, ``note`` and ``lines`` to hide. ``hide``, ``hide_writers``, ``correction`` and
    ``refuse_reporters`` exist if they are offered.
    """

    measure = forms.ChoiceField(label=_("Action"), choices=DECISIONS, widget=PreviewedChoices)
    scope = forms.ChoiceField(label=_("Where"), choices=Sanction.Scope, required=False, widget=forms.RadioSelect)
    length = forms.ChoiceField(
        label=_("How long"),
        choices=[
            *((key, text) for key, (text, _length) in CHOSEN_LENGTHS.items()),
            (UNTIL, _("until a date")),
            (FOR_GOOD, _("permanently")),
        ],
        initial="day",
        widget=forms.RadioSelect,
    )
    until = forms.DateTimeField(
        label=_("Until (UTC)"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    lines = LineNumbers()
    hide = forms.BooleanField(label=_("Hide the reported lines"), required=False)
    hide_writers = forms.BooleanField(
        label=_("Hide everything that their writers wrote at these tables"), required=False
    )
    # Not named "matches", which would hide a method of the form element in browsers.
    correction = forms.ChoiceField(label=_("The reported matches"), required=False, widget=PreviewedChoices)
    refuse_reporters = forms.BooleanField(label=_("Take no reports from these reporters for a week"), required=False)
    preset = forms.ChoiceField(label=_("Reason"), required=False, widget=ReasonChoices)
    reason = reason_field(_("Or in your own words"), required=False)
    note = forms.CharField(
        label=_("Note for other moderators"),
        required=False,
        max_length=300,
        widget=forms.TextInput({"autocomplete": "off", "class": "vTextField"}),
        help_text=_("Stored with the case. Only moderators read it."),
    )
    # Shown once a decision without an end needs it.
    sure = forms.BooleanField(label=_("Yes, permanently"), required=False)

    def __init__(
        self, *args: Any, case: Case, previews: Mapping[str, str], proposed: Collection[str] = (), **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self._set_choices("preset", reason_choices(REASONS[case.area] + REASONS[NO_ACTION]))
        if case.suspect_id is None:
            self._set_choices("measure", VerdictOnly.choices)
            for name in ("scope", "length", "until"):
                del self.fields[name]
        offered = [choice for choice in MatchCorrection.choices if not choice[0] or choice[0] in previews]
        self._set_choices("correction", offered)
        for name in ("hide", "hide_writers"):
            self.fields[name].help_text = previews.get(name, "")
        for name in ("measure", "correction"):
            self.fields[name].widget.previews, self.fields[name].widget.proposed = previews, proposed
        is_offered = {
            "correction": len(offered) > 1,
            "hide": "hide" in previews,
            "hide_writers": "hide_writers" in previews,
            "refuse_reporters": case.reports.filter(reporter__isnull=False).exists(),
        }
        for name in (name for name, offer in is_offered.items() if not offer):
            del self.fields[name]

    def _set_choices(self, name: str, choices: Any) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # of a field with choices

    @property
    def proposal(self) -> dict[str, Any]:
        """Return the submitted fields, with which a second person starts."""
        fields: dict[str, Any] = {name: str(self.data[name])[:300] for name in self.fields if name in self.data}
        fields.pop("sure", None)  # the second person confirms it, too
        return fields | {"lines": self.cleaned_data["lines"]}

    @property
    def ticked_lines(self) -> set[int]:
        """Return the lines whose checkboxes are ticked when the form is shown."""
        return {int(value) for value in self["lines"].value() or () if str(value).isdecimal()}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        length, preset = cleaned.pop("length", FOR_GOOD), cleaned.pop("preset", "")
        cleaned["reason"] = cleaned.get("reason") or preset
        self._check_reason(cleaned["reason"], cleaned.get("measure", ""))
        if cleaned.get("refuse_reporters") and cleaned.get("measure") != VerdictOnly.DISMISS:
            self.add_error("refuse_reporters", _("Only a dismissed case can stop the reports of its reporters."))
        if length == UNTIL and not cleaned.get("until") and "until" not in self.errors:
            self.add_error("until", _("Enter a time."))
        if not cleaned.pop("sure", False) and _is_permanent(cleaned.get("measure", ""), length):
            self.add_error("sure", _("This decision has no end. Confirm it below."))
        if length in CHOSEN_LENGTHS:
            cleaned["until"] = timezone.now() + CHOSEN_LENGTHS[length][1]
        elif length == FOR_GOOD:
            cleaned["until"] = None
        return cleaned

    def _check_reason(self, reason: str, measure: str) -> None:
        if not reason:
            self.add_error("reason", _("Choose a reason, or write one."))
        elif reason in ALL_REASONS and measure and (reason in REASONS[NO_ACTION]) != (measure == VerdictOnly.DISMISS):
            self.add_error("preset", _("This reason contradicts the decision."))


def _is_permanent(measure: str, length: str) -> bool:
    """Return True for a closure, and for a measure of a chosen length that has no end."""
    if measure not in Sanction.Kind:
        return False
    kind = Sanction.Kind(measure)
    return kind == Sanction.Kind.CLOSURE or (length == FOR_GOOD and measures.MEASURES[kind].length == Length.CHOSEN)


class OpenCaseForm(forms.Form):
    """The subject of a case that a moderator opens by hand. ``people`` sat at the chosen matches."""

    person = forms.ChoiceField(label=_("Person"), required=False, widget=forms.RadioSelect)
    area = forms.ChoiceField(label=_("Area"), choices=CaseArea, widget=forms.RadioSelect)
    words = forms.CharField(
        label=_("Note for other moderators (optional)"),
        required=False,
        max_length=300,
        widget=forms.TextInput({"autocomplete": "off", "class": "vTextField"}),
    )

    def __init__(self, data: Any = None, *, people: Collection[User]) -> None:
        super().__init__(data)
        if people:
            nobody = ("", _("Nobody, just the match"))
            choices = [nobody, *((str(person.pk), str(person)) for person in people)]
            self.fields["person"].choices = choices  # type: ignore[attr-defined]
        else:
            del self.fields["person"]
