"""How to play each game, and how the deal is kept fair."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.engine.variants import UnknownVariant, registry, rules_for
from games.words import words_of


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    games = [(key, words_of(key)) for key in registry()]
    return render(request, "rules/index.html", {"games": games})


@require_GET
def how_to_play(request: HttpRequest, variant: str) -> HttpResponse:
    try:
        rules = rules_for(variant)
    except UnknownVariant:
        raise Http404(_("There is no such game.")) from None
    return render(request, f"rules/{rules.key}.html", {"words": words_of(rules.key), "variant": rules.key})


@require_GET
def fair_dealing(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/fair_dealing.html")
