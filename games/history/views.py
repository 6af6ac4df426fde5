"""The lists of finished matches, of everybody and of one person. All filters are in the address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import Exists
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from accounts.models import User
from games.access import visible_person
from games.history import filters, people, queries
from games.history.filters import HistoryForm
from games.history.matches import matches as finished_matches
from games.history.people import MatchChoices
from games.history.plot import history_plot
from games.history.rendering import match_lines
from games.history.texts import CHOICES_PLOT
from games.match_reports.report import Player
from games.ratings.views import ratings_of
from games.rendering.pictures import pictures
from games.spectators import delayed
from games.words import offered, words_of
from games.words.lookup import number_text

if TYPE_CHECKING:
    from games.access import Viewer

MIN_PLOT_SPAN = 1.0  # points lost in a choice


@require_safe
def matches(request: HttpRequest) -> HttpResponse:
    context = {"leaderboards": [(key, words_of(key).name) for key in offered()]}
    return _listed(request, HistoryForm(request.GET), "history/matches.html", context)


@require_safe
def person(request: HttpRequest, person_id: int) -> HttpResponse:
    """Show a person who has played in public. The person also sees their own unlisted matches."""
    tallies = queries.tallies(person_id, request.user)
    player = visible_person(request.user, person_id, has_matches=bool(tallies))
    points = points_shown(player, request.user)
    games = [
        {"key": key, "name": words_of(key).name, "tally": tallies[key], "points": points.get(key)}
        for key in offered()
        if key in tallies
    ]
    context = {"person": player, "games": games, "is_self": player.pk == request.user.pk}
    context["ratings"] = ratings_of(player.pk)
    form = HistoryForm(request.GET, person_id=player.pk)
    if games and not form.is_asked and "after" not in request.GET:
        context |= encounters(player, request.user)
    return _listed(request, form, "history/person.html", context)


def encounters(person: User, viewer: Viewer) -> dict[str, Any]:
    """Return the context of opponents, best rounds and choices. ``between`` is the viewer as an opponent."""
    met = people.opponents(person.pk, viewer)
    best = people.best_rounds(person.pk, viewer)
    return {
        "opponents": met,
        "between": met[0] if met and met[0].user_id == viewer.pk else None,
        "best_rounds": [{"game": words_of(one.variant).name, "round": one} for one in best],
        "choices": choices_shown(people.choices(person.pk, viewer)),
    }


def choices_shown(matches: Sequence[MatchChoices]) -> list[dict[str, Any]]:
    """Return the context of the choices in these matches, one entry for each game."""
    games = {key: [match for match in matches if match.variant == key] for key in offered()}
    return [_choices(key, own) for key, own in games.items() if own]


def _choices(key: str, matches: Sequence[MatchChoices]) -> dict[str, Any]:
    name, averages = words_of(key).name, [round(match.player.average, 2) for match in reversed(matches)]
    whole = Player(sum(match.player.lost for match in matches), sum(match.player.choices for match in matches), 0)
    label = CHOICES_PLOT % {"game": name, "low": number_text(min(averages)), "high": number_text(max(averages))}
    plot = history_plot(averages, label, min_span=MIN_PLOT_SPAN)
    return {"key": key, "name": name, "average": whole.average, "matches": matches, "plot": SafeString(plot)}


def points_shown(person: User, viewer: Viewer) -> dict[str, int]:
    """Return a person's rating points by variant, for others without matches whose end is not public yet."""
    rows = person.points.annotate(has_undisclosed=Exists(delayed.undisclosed_seats(person.pk)))
    has_undisclosed = person != viewer and any(row.has_undisclosed for row in rows)
    undisclosed = delayed.undisclosed_gains(person.pk) if has_undisclosed else {}
    points = {}
    for row in rows:
        gained, matches = undisclosed.get(row.variant, (0, 0))
        if row.matches > matches:
            points[row.variant] = row.points - gained
    return points


def _listed(request: HttpRequest, form: HistoryForm, template: str, context: dict[str, Any]) -> HttpResponse:
    """Show a page of the filtered list, or the errors of the form."""
    context = {"form": form, "filters": filters.form_html(form), "pictures": pictures()} | context
    if not form.is_valid():
        return render(request, template, context, status=400)
    page = queries.page(form.filters, request.user, form.cleaned_data["after"])
    finished = finished_matches(page.match_ids, form.person_id)
    context |= {
        "more_names": page.more_names,
        "newest": finished[0].slug if finished else "",
        "lines": match_lines(finished, get_language() or "en"),
        "first": form.address(),
        "further": form.address(page.after) if page.after else "",
    }
    return render(request, template, context)
