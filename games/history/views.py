"""The lists of finished matches, of everybody and of one person. All filters are in the address."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from django.db.models import Exists
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from accounts.models import User
from games.access import visible_person
from games.history import filters, person_statistics, queries
from games.history.charts import chart_context, person_charts
from games.history.filters import HistoryForm
from games.history.matches import finished_matches
from games.history.person_statistics import MatchChoices
from games.history.plot import history_plot
from games.history.rendering import match_lines
from games.history.texts import CHOICES_PLOT_LABEL
from games.ratings.views import ratings_of_person
from games.rendering.pictures import game_pictures
from games.spectators import delayed
from games.words import offered_variants, words_of

if TYPE_CHECKING:
    from games.access import Viewer

MIN_PLOT_SPAN = 10.0  # percentages of the chance to win


@require_safe
def match_list(request: HttpRequest) -> HttpResponse:
    context = {"leaderboards": [(key, words_of(key).name) for key in offered_variants()]}
    return _render_list(request, HistoryForm(request.GET), "history/matches.html", context)


@require_safe
def person_page(request: HttpRequest, person_id: int) -> HttpResponse:
    """Show a person who has played in public. The person also sees their own unlisted matches."""
    tallies = queries.tally_by_variant(person_id, request.user)
    player = visible_person(request.user, person_id, has_matches=bool(tallies))
    points = visible_points(player, request.user)
    games = [
        {"key": key, "name": words_of(key).name, "tally": tallies[key], "points": points.get(key)}
        for key in offered_variants()
        if key in tallies
    ]
    context = {"person": player, "games": games, "is_self": player.pk == request.user.pk}
    context["ratings"] = ratings_of_person(player.pk)
    form = HistoryForm(request.GET, person_id=player.pk)
    if games and "after" not in request.GET:
        context |= _statistics_context(player, request.user, form)
    return _render_list(request, form, "history/person.html", context)


def _statistics_context(person: User, viewer: Viewer, form: HistoryForm) -> dict[str, Any]:
    """Return the charts of the matches that pass the filters and, without filters, the other statistics."""
    context = {} if form.has_filters else detailed_statistics_context(person, viewer)
    if form.is_valid() and (charts := person_charts(form.match_filter, viewer)):
        context |= chart_context(charts)
    return context


def detailed_statistics_context(person: User, viewer: Viewer) -> dict[str, Any]:
    """Return the context of frequent opponents, best rounds and move choices."""
    opponents = person_statistics.frequent_opponents(person.pk, viewer)
    best_rounds = person_statistics.best_rounds(person.pk, viewer)
    return {
        "opponents": opponents,
        "viewer_as_opponent": opponents[0] if opponents and opponents[0].user_id == viewer.pk else None,
        "best_rounds": [{"game": words_of(best.variant).name, "round": best} for best in best_rounds],
        "choices": move_choices_context(person_statistics.move_choices_of_latest_matches(person.pk, viewer)),
    }


def move_choices_context(matches: Sequence[MatchChoices]) -> list[dict[str, Any]]:
    """Return the context of the move choices in these matches, one entry for each game."""
    games = {key: [match for match in matches if match.variant == key] for key in offered_variants()}
    return [_choices_of_game(key, matches_of_game) for key, matches_of_game in games.items() if matches_of_game]


def _choices_of_game(key: str, matches: Sequence[MatchChoices]) -> dict[str, Any]:
    name, percents = words_of(key).name, [match.chance_percent for match in reversed(matches)]
    label = CHOICES_PLOT_LABEL % {"game": name, "low": min(percents), "high": max(percents)}
    plot = history_plot(percents, label, min_span=MIN_PLOT_SPAN)
    return {
        "key": key,
        "name": name,
        "average": round(fmean(percents)),
        "matches": matches,
        "plot": SafeString(plot),
    }


def visible_points(person: User, viewer: Viewer) -> dict[str, int]:
    """Return a person's rating points by variant.

    Other viewers do not see points from matches whose end is not public yet.
    """
    rows = person.points.annotate(has_undisclosed=Exists(delayed.seats_with_undisclosed_gain(person.pk)))
    has_undisclosed = person != viewer and any(row.has_undisclosed for row in rows)
    undisclosed = delayed.undisclosed_gains(person.pk) if has_undisclosed else {}
    points = {}
    for row in rows:
        gained, matches = undisclosed.get(row.variant, (0, 0))
        if row.matches > matches:
            points[row.variant] = row.points - gained
    return points


def _render_list(request: HttpRequest, form: HistoryForm, template: str, context: dict[str, Any]) -> HttpResponse:
    """Show a page of the filtered list, or the errors of the form."""
    context = {"form": form, "filters": filters.filter_form_html(form), "pictures": game_pictures()} | context
    if not form.is_valid():
        return render(request, template, context, status=400)
    page = queries.match_page(form.match_filter, request.user, form.cleaned_data["after"])
    matches = finished_matches(page.match_ids, form.person_id)
    context |= {
        "download_query": form.address().removesuffix("?"),
        "more_names": page.has_more_names,
        "newest": matches[0].slug if matches else "",
        "lines": match_lines(matches, get_language() or "en"),
        "first_page": form.address(),
        "next_page": form.address(page.next_cursor) if page.next_cursor else "",
    }
    return render(request, template, context)
