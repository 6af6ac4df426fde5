"""What every page of the Django admin here has in common: history is read-only, actions need a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

ROWS_AT_ONCE = 100


class CappedPaginator(Paginator):  # type: ignore[type-arg]  # only the stubs are generic
    """Stops counting where nobody would page any more, so that a list of millions of rows opens at once."""

    object_list: QuerySet[Any]
    limit = 10_000

    @cached_property
    def count(self) -> int:
        return self.object_list[: self.limit].count()


class ReasonForm(forms.Form):
    """Why a moderator does something. The person concerned may read it."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60, "class": "vLargeTextField"}),
        help_text=gettext_lazy("It is kept in the log, and the person concerned can read it."),
    )


@dataclass(frozen=True)
class AdminAction:
    """An act on rows of a list: ``perform(moderator=, row=, **fields of the form)``."""

    name: str
    label: str | Promise
    permission: str
    perform: Callable[..., object]
    form: type[forms.Form] = ReasonForm


class HistoryAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # only the stubs are generic
    """Rows to search and read. Whatever happens to them happens through ``row_actions``."""

    row_actions: tuple[AdminAction, ...] = ()
    refusals: tuple[type[Exception], ...] = (ValidationError,)
    linked_lookups: tuple[str, ...] = ()
    change_form_template = "admin/actions_change_form.html"
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
        """Allow the filters of the list and our own links. Any other lookup could reveal what no page shows."""
        return lookup in self.linked_lookups or lookup.partition("__")[0] in self.list_filter

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_act"
        view = self.admin_site.admin_view(self.action_view)
        return [path("act/<slug:name>/", view, name=name), *super().get_urls()]

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        for action in self.permitted_actions(request):
            actions[action.name] = (partial(_ask_reason, action=action), action.name, action.label)
        return actions

    def permitted_actions(self, request: HttpRequest) -> Iterator[AdminAction]:
        return (action for action in self.row_actions if request.user.has_perm(action.permission))

    def action_url(self, action: AdminAction, keys: Iterable[int]) -> str:
        address = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_act", args=[action.name])
        return f"{address}?{urlencode([('id', key) for key in keys])}"

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any
    ) -> HttpResponse:
        obj: Model | None = options.get("obj")
        if obj is not None:
            permitted = self.permitted_actions(request)
            context["row_actions"] = [
                {"label": action.label, "url": self.action_url(action, [obj.pk])} for action in permitted
            ]
        return super().render_change_form(request, context, *args, **options)

    def action_view(self, request: HttpRequest, name: str) -> HttpResponse:
        """Ask for the reason, then act on each chosen row."""
        action = next((action for action in self.row_actions if action.name == name), None)
        if action is None:
            raise Http404
        if not (self.has_view_permission(request) and request.user.has_perm(action.permission)):
            raise PermissionDenied
        keys = [key for key in request.GET.getlist("id") if key.isdecimal()][:ROWS_AT_ONCE]
        rows = list(self.get_queryset(request).filter(pk__in=keys))
        if not rows:
            raise Http404
        form = action.form(request.POST or None)
        if form.is_valid():
            self.perform(request, action, rows, form.cleaned_data)
            return HttpResponseRedirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"))
        context = self.admin_site.each_context(request) | {
            "title": action.label,
            "opts": self.opts,
            "rows": rows,
            "form": form,
        }
        return TemplateResponse(request, "admin/action.html", context)

    def perform(self, request: HttpRequest, action: AdminAction, rows: list[Model], fields: dict[str, Any]) -> None:
        """Perform the act on each row by itself, and show a message for each that was refused."""
        done = 0
        for row in rows:
            try:
                action.perform(moderator=request.user, row=row, **fields)
                done += 1
            except self.refusals as refusal:
                self.message_user(request, f"“{row}”: {_refusal_text(refusal)}", messages.ERROR)
        if done:
            text = ngettext("Done: %(count)d row.", "Done: %(count)d rows.", done) % {"count": done}
            self.message_user(request, text, messages.SUCCESS)


class HistoryInline(admin.TabularInline):  # type: ignore[type-arg]  # only the stubs are generic
    """Read-only rows on the page of another row."""

    template = "admin/history_inline.html"
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def _ask_reason(
    model_admin: HistoryAdmin, request: HttpRequest, rows: QuerySet[Any], *, action: AdminAction
) -> HttpResponse | None:
    keys = list(rows.values_list("pk", flat=True)[: ROWS_AT_ONCE + 1])
    if len(keys) <= ROWS_AT_ONCE:
        return HttpResponseRedirect(model_admin.action_url(action, keys))
    text = _("At most %(count)d rows at once.") % {"count": ROWS_AT_ONCE}
    model_admin.message_user(request, text, messages.ERROR)
    return None


def _refusal_text(refusal: Exception) -> str:
    if isinstance(refusal, ValidationError):
        return " ".join(refusal.messages)
    return str(getattr(refusal, "text", refusal))
