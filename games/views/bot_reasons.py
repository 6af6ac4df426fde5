"""Explains a bot's last move on request, in casual matches only, where it may help people to learn."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games.access import visible_match
from games.explanations.bot_moves import reasons_for_play
from games.rendering.reasons import explain_bot_move, last_tile_by_a_bot
from games.spectators import delayed
from games.words.reasons import NO_REASONS_IN_RATED_MATCHES, NO_TILE_BY_A_BOT


@require_safe
def bot_reasons_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the reasons for the last tile of a bot, as a part of the table or (without scripts) as a page."""
    match = visible_match(request.user, slug)
    snapshot = delayed.snapshot_for(match.pk, request.user.pk)
    view = snapshot.view(None)
    play = last_tile_by_a_bot(snapshot.table, view)
    if match.rated:
        sentences = [str(NO_REASONS_IN_RATED_MATCHES)]
    elif view is None or play is None:
        sentences = [str(NO_TILE_BY_A_BOT)]
    else:
        sentences = explain_bot_move(snapshot.table, play, reasons_for_play(view, play), get_language() or "en")
    template = "table/bot_reasons.html" if request.headers.get("HX-Request") else "table/bot_reasons_page.html"
    return render(request, template, {"table": snapshot.table, "sentences": sentences})
