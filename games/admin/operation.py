"""The page of the operators: the state of the site and its processes, and what they can switch for everybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import ServerProcess, SiteSwitches
from games.services import operation
from games.site_metrics import count_site
from games.site_processes import ENDED_AFTER
from games.site_switches import Switches, read_switches
from infrastructure.admin import refusal_text
from infrastructure.health import clock_status

if TYPE_CHECKING:
    from accounts.models import User

PAGE = "admin:games_siteswitches_changelist"
END_PREFIX = "end "


class OperationForm(forms.Form):
    """One act and its reason. The choices depend on what is switched on now."""

    choice = forms.ChoiceField(label=_("Act"), widget=forms.RadioSelect)
    banner = forms.CharField(
        label=_("Banner"),
        max_length=200,
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "class": "vTextField"}),
        help_text=_("Shown on every page as you write it, in all languages. Empty: no banner."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        widget=forms.TextInput({"autocomplete": "off", "class": "vTextField"}),
        help_text=_("Stored in the log of moderation."),
    )

    def __init__(self, data: Any, switches: Switches, processes: Sequence[ServerProcess]) -> None:
        super().__init__(data, initial={"banner": switches.banner})
        field = cast("forms.ChoiceField", self.fields["choice"])
        field.choices = [
            ("banner", _("Change the banner")),
            ("resume_matches", _("Let new matches start again"))
            if switches.matches_paused
            else ("pause_matches", _("Let no new match start; running matches go on")),
            ("start_clocks", _("Start all clocks again"))
            if switches.clocks_stopped
            else ("stop_clocks", _("Stop the clocks of all people; moves and bots go on")),
            *((f"{END_PREFIX}{process.name}", _("End process %s") % process) for process in processes),
        ]

    def perform(self, operator: User) -> None:
        """Perform the act. Raises PermissionDenied, ValidationError."""
        choice, reason = self.cleaned_data["choice"], self.cleaned_data["reason"]
        if choice == "banner":
            operation.set_banner(operator=operator, text=self.cleaned_data["banner"], reason=reason)
        elif choice.endswith("_matches"):
            operation.set_matches_paused(operator=operator, paused=choice == "pause_matches", reason=reason)
        elif choice.endswith("_clocks"):
            operation.set_clocks_stopped(operator=operator, stopped=choice == "stop_clocks", reason=reason)
        else:
            operation.end_process(operator=operator, name=choice.removeprefix(END_PREFIX), reason=reason)


@admin.register(SiteSwitches)
class OperationAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # only the stubs are generic
    """One page instead of a list of rows."""

    def has_view_permission(self, request: HttpRequest, obj: SiteSwitches | None = None) -> bool:
        return request.user.has_perm(operation.PERMISSION)

    has_module_permission = has_view_permission

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: SiteSwitches | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: SiteSwitches | None = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        return [path("", self.admin_site.admin_view(self.operation_view), name=PAGE.partition(":")[2])]

    def operation_view(self, request: HttpRequest) -> HttpResponse:
        """Show the state of the site, or perform an act."""
        if not request.user.has_perm(operation.PERMISSION):
            raise PermissionDenied
        now = timezone.now()
        processes = list(ServerProcess.objects.order_by("roles", "machine", "started_at"))
        running = [process for process in processes if now - process.at <= ENDED_AFTER]
        form = OperationForm(request.POST or None, read_switches(), running)
        if form.is_valid():
            try:
                form.perform(cast("User", request.user))
            except ValidationError as refusal:
                form.add_error(None, refusal_text(refusal))
            else:
                self.message_user(request, _("Done. All processes know it within a second."), messages.SUCCESS)
                return redirect(PAGE)
        context = self.admin_site.each_context(request) | {
            "title": _("Operation of the site"),
            "opts": self.opts,
            "switches": read_switches(),
            "counts": count_site(now),
            "clock_age": clock_status().age(),
            "processes": [(process, process in running) for process in processes],
            "form": form,
        }
        return TemplateResponse(request, "admin/operation.html", context)
