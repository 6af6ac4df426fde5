"""What moderators do to rows of the admin: an act, what it asks for, and what it would do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

A_FEW = 3
"""How many may be acted on without being asked again."""


class ReasonForm(forms.Form):
    """Why a moderator does something. The person concerned may read it.

    Whoever acts on more than a few ``subjects`` says once more that all of them are meant.
    """

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=300,
        widget=forms.TextInput(attrs={"list": "reasons", "autocomplete": "off", "class": "vTextField"}),
        help_text=gettext_lazy("It is kept in the log, and the person concerned can read it."),
    )

    def __init__(self, data: Any = None, *, subjects: int = 1) -> None:
        super().__init__(data)
        self.subjects = subjects
        if subjects > A_FEW:
            label = _("Yes, I mean all %(count)d of them") % {"count": subjects}
            self.fields["sure"] = forms.BooleanField(label=label)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        return {name: value for name, value in cleaned.items() if name != "sure"}


def _itself(row: Any) -> object:
    return row.pk


def _always(_moderator: Any, _row: Any) -> bool:
    return True


def _nothing(_rows: Sequence[Any]) -> Sequence[str]:
    return ()


def each(act: Callable[..., object], argument: str, **more: Any) -> Callable[..., None]:
    """Return an act on rows that does it to each of them, which it takes as ``argument``."""

    def perform(*, moderator: Any, rows: Sequence[Any], **fields: Any) -> None:
        for row in rows:
            act(moderator=moderator, **{argument: row}, **more, **fields)

    return perform


@dataclass(frozen=True)
class AdminAction:
    """An act on rows of a list: ``perform(moderator=, rows=, **fields of the form)``, once for each ``subject``.

    One of ``permissions`` is needed. ``applies(moderator, row)``: whether a row's page offers it. ``done`` says how
    many ``%(count)d`` there were, ``preview`` what the act would do to the rows now.
    """

    name: str
    label: StrOrPromise
    permissions: tuple[str, ...]
    perform: Callable[..., object]
    done: Any
    form: type[ReasonForm] = ReasonForm
    subject: Callable[[Any], object] = _itself
    applies: Callable[[Any, Any], bool] = _always
    preview: Callable[[Sequence[Any]], Sequence[str]] = _nothing

    def is_permitted(self, request: HttpRequest) -> bool:
        return any(map(request.user.has_perm, self.permissions))

    def groups(self, rows: Iterable[Model]) -> list[list[Model]]:
        """Return the rows, together where they are about the same."""
        found: dict[object, list[Model]] = {}
        for row in rows:
            found.setdefault(self.subject(row), []).append(row)
        return list(found.values())
