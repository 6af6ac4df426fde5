"""What every page of the Django admin here has in common: history is read-only, actions need a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.contrib.admin.templatetags.admin_urls import add_preserved_filters
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.dispatch import Signal
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import formats, timezone
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.translation import gettext as _

from infrastructure.admin_acts import AdminAction

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

page_shown = Signal()
"""A page of the admin was shown to somebody of the staff: ``request``, and ``response`` before it is rendered."""
ROWS_AT_ONCE = 100
Column = Callable[[Any], str]


def linked(field: str, title: StrOrPromise) -> Column:
    """Return a column of lists that leads to the row it names."""

    @admin.display(description=title, ordering=field, empty_value="–")
    def column(row: Model) -> str:
        other: Model | None = getattr(row, field)
        if other is None:
            return ""
        page = f"admin:{other._meta.app_label}_{other._meta.model_name}_change"
        return format_html('<a href="{}">{}</a>', reverse(page, args=[other.pk]), other)

    column.__name__ = f"{field}_link"
    return column


def moment(field: str, title: StrOrPromise, *, empty: Any = "–") -> Callable[[Any, Any], str]:
    """Return a method of an admin class for a time to the second."""

    @admin.display(description=title, ordering=field, empty_value=empty)
    def column(_admin: object, row: Model) -> str:
        at = getattr(row, field)
        return formats.date_format(timezone.localtime(at), "Y-m-d H:i:s") if at else ""

    return column


class CappedPaginator(Paginator):  # type: ignore[type-arg]  # only the stubs are generic
    """Stops counting where nobody would page any more, so that a list of millions of rows opens at once."""

    object_list: QuerySet[Any]
    limit = 10_000

    @cached_property
    def count(self) -> int:
        return self.object_list[: self.limit].count()


@dataclass(frozen=True)
class LinkedPage:
    """Another page of the admin about a row, for those who may open it."""

    label: StrOrPromise
    permission: str
    url: str


class HistoryAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # only the stubs are generic
    """Rows to search and read. Whatever happens to them happens through ``row_actions``."""

    row_actions: tuple[AdminAction, ...] = ()
    refusals: tuple[type[Exception], ...] = (ValidationError,)
    linked_lookups: tuple[str, ...] = ()
    change_form_template = "admin/actions_change_form.html"
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
        return (action for action in self.row_actions if action.is_permitted(request))

    def linked_pages(self, obj: Any) -> Sequence[LinkedPage]:
        return ()

    def acts_on(self, obj: Any) -> Iterable[Model]:
        """Return what the log of moderation says about a row."""
        return ()

    def action_url(self, request: HttpRequest, action: AdminAction, keys: Iterable[int]) -> str:
        address = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_act", args=[action.name])
        kept = self.get_preserved_filters(request)
        return f"{address}?{urlencode([('id', key) for key in keys])}{kept and '&'}{kept}"

    def list_url(self, request: HttpRequest) -> str:
        """Return the address of the list, searched and filtered as it was."""
        listed = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        kept: Any = {"preserved_filters": self.get_preserved_filters(request), "opts": self.opts}
        return add_preserved_filters(kept, listed)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any
    ) -> HttpResponse:
        obj: Model | None = options.get("obj")
        if obj is not None:
            context["row_actions"] = [
                {"label": action.label, "url": self.action_url(request, action, [obj.pk])}
                for action in self.permitted_actions(request)
                if action.applies(request.user, obj)
            ]
            pages = self.linked_pages(obj)
            context["linked_pages"] = [page for page in pages if request.user.has_perm(page.permission)]
        return super().render_change_form(request, context, *args, **options)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        obj = self.get_object(request, unquote(object_id))
        acts = [] if obj is None else self.acts_on(obj)
        return super().history_view(request, object_id, (extra_context or {}) | {"acts": acts})

    def action_view(self, request: HttpRequest, name: str) -> HttpResponse:
        """Ask for the reason, then act on each chosen row."""
        action = next((action for action in self.row_actions if action.name == name), None)
        if action is None:
            raise Http404
        if not (self.has_view_permission(request) and action.is_permitted(request)):
            raise PermissionDenied
        keys = [key for key in request.GET.getlist("id") if key.isdecimal()][:ROWS_AT_ONCE]
        rows = list(self.get_queryset(request).filter(pk__in=keys))
        if not rows:
            raise Http404
        groups = action.groups(rows)
        form = action.form(request.POST or None, subjects=len(groups))
        if form.is_valid():
            self.perform(request, action, groups, form.cleaned_data)
            return HttpResponseRedirect(self.list_url(request))
        context = self.admin_site.each_context(request) | {
            "title": action.label,
            "opts": self.opts,
            "rows": rows,
            "preview": "; ".join(action.preview(rows)),
            "form": form,
            "back": self.list_url(request),
        }
        return TemplateResponse(request, "admin/action.html", context)

    def perform(
        self, request: HttpRequest, action: AdminAction, groups: Iterable[list[Model]], fields: dict[str, Any]
    ) -> None:
        """Perform the act on each subject by itself, and show a message for each that was refused."""
        done = 0
        for rows in groups:
            try:
                action.perform(moderator=request.user, rows=rows, **fields)
                done += 1
            except self.refusals as refusal:
                self.message_user(request, f"“{rows[0]}”: {refusal_text(refusal)}", messages.ERROR)
        if done:
            self.message_user(request, action.done % {"count": done}, messages.SUCCESS)


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
        return HttpResponseRedirect(model_admin.action_url(request, action, keys))
    text = _("At most %(count)d rows at once.") % {"count": ROWS_AT_ONCE}
    model_admin.message_user(request, text, messages.ERROR)
    return None


def refusal_text(refusal: Exception) -> str:
    if isinstance(refusal, ValidationError):
        return " ".join(refusal.messages)
    return str(getattr(refusal, "text", refusal))
