"""The lobby, and opening a table: by one button from a ready-made one, or by the whole form."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.access import apart, person_required
from games.engine.rules import Rules
from games.errors import Refused
from games.lobby import open_tables
from games.lobby.forms import TableForm
from games.services import lobby
from games.terms.presets import preset_of
from games.views.deeds import address_of
from games.words import offered
from infrastructure.limits import limits
from infrastructure.page_limits import whose


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show all games, or the one in the address: its ready-made tables, and its tables in the lists."""
    games = open_tables.games()
    chosen = _rules_named(key).key if (key := request.GET.get("game", "")) else ""
    context = {
        "games": games.values(),
        "chosen": games.get(chosen),
        "quick": games[chosen or lobby.last_variant(request.user.pk)],
        "pictures": open_tables.pictures(),
        "lists": open_tables.lists(chosen, apart(request.user)),
        "own_tables": open_tables.own_tables(request.user.pk),
    }
    return render(request, "lobby/page.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@person_required
def new_table(request: HttpRequest) -> HttpResponse:
    rules = _rules_named(request.POST.get("variant") or request.GET.get("game"))
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
    limits.require("tables", **whose(request))
    terms = preset.terms.arguments() if preset else form.terms
    match = lobby.create_table(host=request.user, **terms, address=address_of(request))
    return redirect("match", match.slug)


def _form_page(request: HttpRequest, form: TableForm, status: int = 200) -> HttpResponse:
    games = open_tables.games()
    context = {
        "form": form,
        "games": games.values(),
        "chosen": games[form.rules.key],
        "pictures": open_tables.pictures(),
    }
    return render(request, "lobby/new_table.html", context, status=status)


def _rules_named(key: str | None) -> Rules:
    """Return the rules of a variant, without a name those of the first. Raises Http404."""
    try:
        return offered()[key or next(iter(offered()))]
    except KeyError:
        raise Http404(_("There is no such game.")) from None
