"""The queue of cases in the admin, and the page of a case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict, cast

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from accounts import traces
from accounts.sanctions import moderation_log
from accounts.sanctions.targets import admin_page_of
from games.models import Case
from games.moderation import previews
from games.moderation.admin.appeals import appeal_pages, appeals_of_case
from games.moderation.admin.matches import GameAdmin
from games.moderation.admin.opening import open_cases, subjects_from_request
from games.moderation.admin.timeline import load_case_matches
from games.moderation.cases import parties, queue, refused_reporters
from games.moderation.cases.evidence import NO_USER_ID, load_case_file
from games.moderation.cases.forms import DecisionForm, OpenCaseForm
from games.moderation.cases.permissions import proposed_choices
from games.moderation.decisions import HIDING_FIELDS, decide_case, propose_decision
from games.moderation.samples import sample_case_of
from infrastructure.admin import RowAction, refusal_text, time_column

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    from accounts.models import User


class QueueAnnotations(TypedDict):
    report_count: int
    is_online: bool


@admin.register(Case)
class CaseAdmin(GameAdmin):
    """The queue of cases. The page of a case has all the evidence for its decision."""

    row_actions = (
        RowAction(
            "take_reports",
            _("Take reports from the reporters again"),
            (refused_reporters.PERMISSION,),
            "case",
            refused_reporters.take_reports_again,
            refused_reporters.are_refused,
        ),
    )
    list_display = (
        "suspect",
        "area",
        "urgency",
        "report_count",
        "online",
        "opened",
        "holder",
        "proposed_by",
        "verdict",
    )
    opened, closed = time_column("opened_at", _("opened")), time_column("closed_at", _("closed"))
    list_filter = ("area", "verdict")
    list_select_related = ("suspect", "holder", "proposed_by")
    search_fields = ("suspect__username", "suspect__name")
    change_list_template = "admin/case_list.html"
    change_form_template = "admin/case.html"
    fields = readonly_fields = ("suspect", "area", "opened", "closed", "verdict", "note")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        cases: QuerySet[Case] = super().get_queryset(request).select_related("suspect")
        return queue.rank_cases(cases.filter(queue.cases_visible_to(request.user.pk)), timezone.now())

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, (extra_context or {}) | {"title": _("Cases")})

    def get_urls(self) -> list[URLPattern]:
        next_view = self.admin_site.admin_view(require_POST(self.next_view))
        open_view = self.admin_site.admin_view(self.open_view)
        return [
            path("next/", next_view, name="games_case_next"),
            path("open/", open_view, name="games_case_open"),
            *super().get_urls(),
        ]

    def open_view(self, request: HttpRequest) -> HttpResponse:
        """Open cases by hand about the rows in the query, and redirect to the first of them."""
        if not request.user.has_perm(queue.PROPOSE_PERMISSION):
            raise PermissionDenied
        subjects = subjects_from_request(request)
        form = OpenCaseForm(request.POST or None, people=subjects.choices)
        if form.is_valid():
            try:
                cases = open_cases(cast("User", request.user), subjects, form.cleaned_data)
                return redirect("admin:games_case_change", cases[0].pk)
            except self.refusal_errors as refusal:
                form.add_error(None, refusal_text(refusal))
        context = self.admin_site.each_context(request) | {
            "title": _("Open a case"),
            "opts": self.opts,
            "subjects": subjects,
            "form": form,
        }
        return TemplateResponse(request, "admin/case/open_case.html", context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a case, or decide it and go on with the next. A refused decision is shown again with the reason."""
        extra: dict[str, Any] = {"subtitle": None}
        if request.method == "POST":
            case: Case | None = self.get_object(request, unquote(object_id))
            if case and "appeal" in request.POST:
                if self.decide_appeal(request, case, extra):
                    return redirect(request.get_full_path())
                request.method = "GET"
            elif case and "leave" in request.POST:
                return self.leave_case(request, case)
            elif case and (form := self.decision_form(case, request)):
                if form.is_valid() and self.decide(request, case, form):
                    return self.next_view(request)
                request.method = "GET"  # skip the admin's own form, which saves a row
                extra["decision"] = form
        return super().change_view(request, object_id, form_url, extra)

    def decide_appeal(self, request: HttpRequest, case: Case, extra: dict[str, Any]) -> bool:
        """Grant or reject an appeal of the case. Return False if that is refused; the form has the reason."""
        extra["appeals"] = appeals_of_case(case, request)
        for row in extra["appeals"]:
            if row.form and str(row.appeal.pk) == request.POST["appeal"] and row.form.is_valid():
                return appeal_pages().perform(request, row.appeal, row.form)
        return False

    def leave_case(self, request: HttpRequest, case: Case) -> HttpResponse:
        """Leave a case to others and go on with the next, or show why this is not possible."""
        moderator, note = cast("User", request.user), request.POST.get("note", "")
        try:
            queue.leave_case(moderator=moderator, case=case, note=note, now=timezone.now())
        except self.refusal_errors as refusal:
            self.message_user(request, refusal_text(refusal), messages.ERROR)
            return redirect(request.get_full_path())
        self.message_user(request, _("Left to others: %(case)s.") % {"case": case}, messages.SUCCESS)
        return self.next_view(request)

    def decision_form(self, case: Case, request: HttpRequest) -> DecisionForm | None:
        """Return the form for a decision, None if this moderator can neither decide nor propose one."""
        moderator = cast("User", request.user)
        awaits_others = case.proposed_by_id is not None and not queue.may_decide(moderator, case)
        if (
            case.closed_at
            or awaits_others
            or case.proposed_by_id == moderator.pk
            or not moderator.has_perm(queue.PROPOSE_PERMISSION)
        ):
            return None
        if moderator.pk in parties.people_of_case(case):
            return None
        effects = previews.decision_previews(case)
        initial = case.proposal or {}
        if ticked := request.GET.getlist("lines"):  # "Show all" keeps the ticks
            initial = initial | {"lines": ticked}
        return DecisionForm(
            request.POST or None,
            initial=initial,
            case=case,
            previews=effects,
            proposed=proposed_choices(moderator),
        )

    def decide(self, request: HttpRequest, case: Case, form: DecisionForm) -> bool:
        """Decide a case, or propose a decision that this moderator may not make alone.

        Return False if it is refused; the reason is added to the form.
        """
        moderator, text = cast("User", request.user), _("Decided: %(case)s.")
        sample = sample_case_of(case)
        try:
            try:
                decide_case(moderator=moderator, case=case, **form.cleaned_data)
            except PermissionDenied:
                text, fields = _("Proposed: %(case)s. Another moderator decides."), form.cleaned_data
                hiding = {name: fields[name] for name in HIDING_FIELDS if name in fields}
                propose_decision(
                    moderator=moderator, case=case, proposal=form.proposal, reason=fields["reason"], **hiding
                )
        except self.refusal_errors as refusal:
            form.add_error(None, refusal_text(refusal))
            return False
        self.message_user(request, text % {"case": case}, messages.SUCCESS)
        if sample is not None:
            self.message_user(request, sample.advice_text, messages.INFO)
        return True

    def next_view(self, request: HttpRequest) -> HttpResponse:
        """Reserve the next case for the moderator, and redirect to it."""
        if not request.user.has_perm(queue.PROPOSE_PERMISSION):
            raise PermissionDenied
        case = queue.reserve_next_case(cast("User", request.user), timezone.now())
        if case is None:
            self.message_user(request, _("No case waits for you."), messages.SUCCESS)
            return redirect("admin:games_case_changelist")
        return redirect("admin:games_case_change", case.pk)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any
    ) -> HttpResponse:
        case: Case = options["obj"]
        context["title"] = str(case)
        if "decision" not in context:
            context["decision"] = self.decision_form(case, request)
        if "appeals" not in context:
            context["appeals"] = appeals_of_case(case, request)
        context["file"] = file = load_case_file(case, request.user.pk, timezone.now())
        context["matches"] = load_case_matches(file, request.GET.getlist("all"))
        context["shared"], context["many"] = (
            self.shared_traces(request, case.suspect_id or NO_USER_ID),
            traces.MAX_SHARERS,
        )
        context["decides"] = queue.may_decide(cast("User", request.user), case)
        context["acts"] = [
            (act, admin_page_of(act.target)) for act in moderation_log.acts_concerning(f"case:{case.pk}")
        ]
        return super().render_change_form(request, context, *args, **options)

    def shared_traces(self, request: HttpRequest, suspect_id: int) -> list[tuple[traces.SharedTraces, list[Any]]]:
        """Return the traces that the suspect shares, each with the accounts if this moderator decides all cases."""
        may_see_accounts = request.user.has_perm(queue.DECIDE_PERMISSION)
        return [
            (shared, traces.sharing_accounts(suspect_id, shared.kind) if may_see_accounts else [])
            for shared in traces.shared_traces(suspect_id)
        ]

    @admin.display(description=_("urgency"), ordering="score")
    def urgency(self, case: Case) -> str:
        return f"{case.score:.1f}"

    @admin.display(description=_("reports"))
    def report_count(self, case: WithAnnotations[Case, QueueAnnotations]) -> int:
        return case.report_count

    @admin.display(description=_("online"), boolean=True)
    def online(self, case: WithAnnotations[Case, QueueAnnotations]) -> bool:
        return case.is_online
