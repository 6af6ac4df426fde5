"""Pages of a person: becoming a guest, settings, relations, personal data, a suspension."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import blocks, follows, footer, notices, personal_data, redirects, services
from accounts.forms import DeletionForm, GuestForm, LooksForm, SettingsForm
from accounts.login.guests import become_guest
from accounts.models import Sanction, User
from accounts.requests import PersonRequest
from accounts.sanctions.wording import sanction_text
from accounts.selectors import active_suspension, sanction_in_force


@require_http_methods(["GET", "HEAD", "POST"])
def guest_page(request: HttpRequest) -> HttpResponse:
    """Become a guest with a suggested name and colour, then go on to the requested page."""
    next_page = redirects.next_page(request)
    if request.user.is_authenticated:
        return redirect(next_page or settings.LOGIN_REDIRECT_URL)
    form = GuestForm(_form_data(request))
    if form.is_valid():
        refusal = become_guest(request, **form.cleaned_data)
        return refusal or redirect(next_page or settings.LOGIN_REDIRECT_URL)
    return render(request, "accounts/play_as_guest.html", {"form": form, "next_page": next_page})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: PersonRequest) -> HttpResponse:
    form = SettingsForm(_form_data(request), instance=User.objects.get(pk=request.user.pk))
    if form.is_valid():
        form.instance.save(update_fields=form.Meta.fields)
        follows.remove_disallowed_followers(form.instance)
        with translation.override(form.instance.language or translation.get_language()):
            messages.success(request, _("Saved."))
        response = redirect("settings")
        footer.set_language_cookie(response, form.instance.language)
        return response
    sanctions = Sanction.objects.filter(sanction_in_force(), user=request.user).order_by("pk")
    return render(request, "accounts/settings.html", {"form": form, "notices": list(map(sanction_text, sanctions))})


@require_POST
@login_required
def dismiss_notice(request: PersonRequest, notice_id: int) -> HttpResponse:
    """Dismiss a notice, and return to the page it was on."""
    notices.dismiss(request.user.pk, notice_id)
    return redirect(redirects.next_page(request) or "/")


@require_POST
@login_required
def save_looks(request: PersonRequest) -> HttpResponse:
    """Save the felt and tiles chosen at a table, and return there."""
    form = LooksForm(request.POST, instance=User.objects.get(pk=request.user.pk))
    if not form.is_valid():
        return HttpResponseBadRequest()
    form.instance.save(update_fields=form.Meta.fields)
    return redirect(redirects.next_page(request) or "settings")


@login_required
@require_safe
def blocks_page(request: PersonRequest) -> HttpResponse:
    return render(request, "accounts/blocks.html", {"people": blocks.blocked_people(request.user)})


@require_POST
@login_required
def unblock(request: PersonRequest, person_id: int) -> HttpResponse:
    blocks.unblock(blocker=request.user, blocked_id=person_id)
    messages.success(request, _("Unblocked."))
    return redirect(redirects.next_page(request) or "blocks")


@login_required
@require_safe
def follows_page(request: PersonRequest) -> HttpResponse:
    return render(request, "accounts/follows.html", {"people": follows.followed_people(request.user)})


@require_POST
@login_required
def unfollow(request: PersonRequest, person_id: int) -> HttpResponse:
    follows.unfollow(follower=request.user, followed_id=person_id)
    messages.success(request, _("You no longer follow this person."))
    return redirect(redirects.next_page(request) or "follows")


@login_required
@require_safe
def data_export(request: PersonRequest) -> HttpResponse:
    """Download all personal data as one file."""
    data = personal_data.export_person(request.user)
    response = JsonResponse(data, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="dominoes-{timezone.now():%Y-%m-%d}.json"'
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: PersonRequest) -> HttpResponse:
    """Download or delete all personal data. Staff must give up their rights first, so that their acts keep a name."""
    form = None if request.user.is_staff else DeletionForm(_form_data(request), user=request.user)
    if form and form.is_valid():
        services.delete_person(user=request.user)
        logout(request)
        messages.success(request, _("Everything about you has been deleted. Goodbye!"))
        return redirect(settings.LOGIN_REDIRECT_URL)
    return render(request, "accounts/my_data.html", {"form": form})


@login_required
@require_safe
def suspension_page(request: PersonRequest) -> HttpResponse:
    """Show the sanction that shuts the person out."""
    sanction = active_suspension(request.user.pk)
    if sanction is None:
        return redirect(settings.LOGIN_REDIRECT_URL)
    context = {"text": sanction_text(sanction), "closed": request.user.is_closed}
    return render(request, "accounts/suspended.html", context)


def _form_data(request: HttpRequest) -> QueryDict | None:
    """Return the data of a submitted form, even if it is empty."""
    return request.POST if request.method == "POST" else None
