"""Base classes of the admin pages: history is read-only, and decisions need a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# Sent when staff open a page of the admin, with ``request`` and the ``response`` before it is rendered.
admin_page_opened = Signal()
Column = Callable[[Any], str]


def link_column(field: str, title: StrOrPromise) -> Column:
    """Return a list column that links to the related row."""

    @admin.display(description=title, ordering=field, empty_value="–")
    def column(row: Model) -> str:
        related: Model | None = getattr(row, field)
        if related is None:
            return ""
        page = f"admin:{related._meta.app_label}_{related._meta.model_name}_change"
        return format_html('<a href="{}">{}</a>', reverse(page, args=[related.pk]), related)

    column.__name__ = f"{field}_link"
    return column


def time_column(field: str, title: StrOrPromise, *, empty: Any = "–") -> Callable[[Any, Any], str]:
    """Return an admin method that shows a time to the second."""

    @admin.display(description=title, ordering=field, empty_value=empty)
    def column(_admin: object, row: Model) -> str:
        at = getattr(row, field)
        return formats.date_format(timezone.localtime(at), "Y-m-d H:i:s") if at else ""

    return column


class CappedPaginator(Paginator):  # type: ignore[type-arg]  # only the stubs are generic
    """Counts at most ``limit`` rows, so that a list of millions of rows opens at once."""

    object_list: QuerySet[Any]
    limit = 10_000

    @cached_property
    def count(self) -> int:
        return self.object_list[: self.limit].count()


@dataclass(frozen=True)
class LinkedPage:
    """Another admin page about a row, for moderators with the permission."""

    label: StrOrPromise
    permission: str
    url: str


@dataclass(frozen=True)
class RowAction:
    """An action that a moderator can choose on the page of a row, such as lifting a sanction.

    The moderator needs one of the ``required_permissions``, and ``applies(moderator, row)`` must be true. ``perform``
    calls ``function`` with the moderator, the row as ``row_argument``, the reason and the ``extra_arguments``.
    """

    name: str
    label: StrOrPromise
    required_permissions: tuple[str, ...]
    row_argument: str
    function: Callable[..., object]
    applies: Callable[[Any, Any], bool]
    extra_arguments: tuple[tuple[str, str], ...] = ()

    def is_offered(self, moderator: Any, row: Any) -> bool:
        return any(map(moderator.has_perm, self.required_permissions)) and self.applies(moderator, row)

    def perform(self, moderator: Any, row: Any, reason: str) -> None:
        row_argument, extra_arguments = {self.row_argument: row}, dict(self.extra_arguments)
        self.function(moderator=moderator, reason=reason, **row_argument, **extra_arguments)


def reason_field(label: StrOrPromise, **options: Any) -> forms.CharField:
    """Return the field for a reason, which the person concerned can read."""
    return forms.CharField(
        label=label,
        max_length=300,
        widget=forms.TextInput({"autocomplete": "off", "class": "vTextField"}),
        help_text=_("Stored in the log. The person concerned can read it."),
        **options,
    )


class RowActionForm(forms.Form):
    """The form with the actions on the page of a row, and the reason."""

    choice = forms.ChoiceField(label=_("Decision"), widget=forms.RadioSelect)
    reason = reason_field(_("Reason"))

    def __init__(self, data: Any, actions: Sequence[RowAction]) -> None:
        super().__init__(data, initial={"choice": actions[0].name if len(actions) == 1 else None})
        field = self.fields["choice"]
        field.choices = [(action.name, action.label) for action in actions]  # type: ignore[attr-defined]


class HistoryAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # only the stubs are generic
    """Read-only rows. The page of a row offers the ``row_actions`` that apply to it, with a reason."""

    row_actions: tuple[RowAction, ...] = ()
    refusal_errors: tuple[type[Exception], ...] = (ValidationError,)
    linked_lookups: tuple[str, ...] = ()
    change_form_template = "admin/linked_change_form.html"
    object_history_template = "admin/acts_history.html"
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = CappedPaginator
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow the filters of the list and of our links. Any other lookup could reveal data that no page shows."""
        return lookup in self.linked_lookups or lookup.partition("__")[0] in self.list_filter

    def linked_pages(self, obj: Any) -> Sequence[LinkedPage]:
        return ()

    def acts_on(self, obj: Any) -> Iterable[Model]:
        """Return the moderation log of a row."""
        return ()

    def row_action_form(self, request: HttpRequest, row: Model) -> RowActionForm | None:
        """Return the form with the actions that this moderator can choose for a row, None if there are none."""
        offered = [action for action in self.row_actions if action.is_offered(request.user, row)]
        return RowActionForm(request.POST or None, offered) if offered else None

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a row, or perform the chosen action. After a refusal the form is shown again with the reason."""
        extra = dict(extra_context or {})
        if request.method == "POST" and "choice" in request.POST:
            row = self.get_object(request, unquote(object_id))
            if row and self.has_view_permission(request, row) and (form := self.row_action_form(request, row)):
                if form.is_valid() and self.perform(request, row, form):
                    return HttpResponseRedirect(request.get_full_path())
                request.method = "GET"  # the admin's own form, which saves a row, is not used
                extra["row_action_form"] = form
        return super().change_view(request, object_id, form_url, extra)

    def perform(self, request: HttpRequest, row: Model, form: RowActionForm) -> bool:
        """Perform the chosen action and return True, or add the refusal to the form and return False."""
        action = next(action for action in self.row_actions if action.name == form.cleaned_data["choice"])
        try:
            action.perform(request.user, row, form.cleaned_data["reason"])
        except self.refusal_errors as refusal:
            form.add_error(None, refusal_text(refusal))
            return False
        self.message_user(request, _("Done: %(choice)s.") % {"choice": action.label}, messages.SUCCESS)
        return True

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any
    ) -> HttpResponse:
        obj: Model | None = options.get("obj")
        if obj is not None:
            if "row_action_form" not in context:
                context["row_action_form"] = self.row_action_form(request, obj)
            pages = self.linked_pages(obj)
            context["linked_pages"] = [page for page in pages if request.user.has_perm(page.permission)]
        return super().render_change_form(request, context, *args, **options)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        obj = self.get_object(request, unquote(object_id))
        acts = [] if obj is None else self.acts_on(obj)
        return super().history_view(request, object_id, (extra_context or {}) | {"acts": acts})


class HistoryInline(admin.TabularInline):  # type: ignore[type-arg]  # only the stubs are generic
    """Read-only rows on the page of another row."""

    template = "admin/history_inline.html"
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def refusal_text(refusal: Exception) -> str:
    if isinstance(refusal, ValidationError):
        return " ".join(refusal.messages)
    return str(getattr(refusal, "text", refusal))
