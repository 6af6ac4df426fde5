"""A person's sanctions, and appealing against them."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import PersonRequest
from accounts.sanctions import appeals
from accounts.sanctions.wording import appeal_answer_text, sanction_text

MAX_LENGTH = 1000


@login_required
@require_safe
def sanctions_page(request: PersonRequest) -> HttpResponse:
    lines = [
        {"sanction": sanction, "text": sanction_text(sanction), "answer": appeal_answer_text(sanction)}
        for sanction in appeals.sanctions_with_appeals(request.user)
    ]
    return render(request, "accounts/sanctions.html", {"lines": lines, "max_length": MAX_LENGTH})


@require_POST
@login_required
def appeal(request: PersonRequest, sanction_id: int) -> HttpResponse:
    words = request.POST.get("words", "")[:MAX_LENGTH]
    try:
        appeals.submit_appeal(user=request.user, sanction_id=sanction_id, words=words)
        messages.success(request, _("Your appeal has been sent. Another moderator will review it and answer you."))
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    return redirect("sanctions")
