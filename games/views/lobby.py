"""The lobby, and opening a table: by one button from a ready-made one, or by the whole form."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from games import lobby_rendering
from games.access import person_required
from games.engine.rules import Rules
from games.errors import Refused
from games.forms import TableForm
from games.presets import preset_of, presets_of
from games.services import lobby
from games.words import offered, words_of


@require_GET
def page(request: HttpRequest) -> HttpResponse:
    games = [(rules.key, words_of(rules.key), presets_of(rules)) for rules in offered().values()]
    context = {
        "games": games,
        "lists": lobby_rendering.lists(),
        "own_tables": lobby_rendering.own_tables(request.user.pk),
    }
    return render(request, "lobby/page.html", context)


@require_http_methods(["GET", "POST"])
@person_required
def new_table(request: HttpRequest) -> HttpResponse:
    rules = _rules_named(request.POST.get("variant") or request.GET.get("variant"))
    form = TableForm(rules, request.POST if request.method == "POST" else None)
    if request.method == "POST":
        try:
            return _opened(request, rules, form) or _form_page(request, form, status=422)
        except Refused as refused:
            messages.error(request, str(refused.text))
            return redirect("lobby")
    return _form_page(request, form)


def _opened(request: HttpRequest, rules: Rules, form: TableForm) -> HttpResponse | None:
    """Open the table of the ready-made kind or of the form; None where the form has to be asked again."""
    preset = preset_of(rules, request.POST.get("preset", ""))
    if preset is None and not form.is_valid():
        return None
    terms = preset.terms.arguments() if preset else form.terms
    match = lobby.create_table(host=request.user, nonce=request.POST.get("nonce", ""), **terms)
    return redirect("match", match.slug)


def _form_page(request: HttpRequest, form: TableForm, status: int = 200) -> HttpResponse:
    others = [(key, words_of(key)) for key in offered()]
    context = {"form": form, "variant": form.rules.key, "words": words_of(form.rules.key), "games": others}
    return render(request, "lobby/new_table.html", context, status=status)


def _rules_named(key: str | None) -> Rules:
    """Return the rules of a variant, without a name those of the first. Raises Http404."""
    try:
        return offered()[key or next(iter(offered()))]
    except KeyError:
        raise Http404(_("There is no such game.")) from None
