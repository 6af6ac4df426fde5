"""The lobby, and opening a table: from a preset with one button, or with the whole form."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import follows
from accounts.models import User
from accounts.push import subscriptions
from games.access import restricted_viewer_id
from games.conduct.ledger import pause_reason
from games.engine.rules import Rules
from games.errors import Refused
from games.lobby import open_tables, quick_play, tables
from games.lobby.forms import FRIENDS_TABLE, TableForm
from games.lobby.games import offered_games
from games.lobby.greeting import load_greeting
from games.lobby.rendering import lists_zones, table_lines
from games.match.listed import TableLists
from games.models import Match
from games.presence.online import count_online
from games.presence.pages import pages
from games.presence.people import Attendee
from games.rendering.page import as_safe_string
from games.rendering.pictures import game_pictures
from games.rendering.zones import Zones
from games.spectators import delayed
from games.terms.presets import preset_with_key
from games.tv.featured import choose_featured_table
from games.tv.rendering import featured_zones, no_featured_zones
from games.views.polling import frame_response, is_poll
from games.web.form_actions import Submission
from games.web.person_required import auto_guest
from games.words import offered_variants
from infrastructure.addresses import address_key_of_request
from infrastructure.limits import limits
from infrastructure.not_found import ExplainedNotFound


@require_safe
def lobby_page(request: HttpRequest) -> HttpResponseBase:
    """Show all games, or the one in the address with its presets and tables. A page that polls gets the lists."""
    games = offered_games()
    chosen = _rules_by_key(key).key if (key := request.GET.get("game", "")) else ""
    language = get_language() or "en"
    followed, own = follows.followed_ids(request.user.pk), open_tables.own_table_ids(request.user.pk)
    lists = open_tables.load_lists(chosen, restricted_viewer_id(request.user), followed, own)
    people_count = count_online(timezone.now(), _current_visitor(request))
    zones = lists_zones(lists, people_count, language)
    if is_poll(request):
        featured, _slug = _featured_zones(lists, language, current_slug=request.GET.get("on", ""))
        text = zones.full_update + featured.full_update
        return frame_response(request, lambda: text, key=text)
    featured, featured_slug = _featured_zones(lists, language)
    quick_variant = chosen or quick_play.last_played_variant(request.user.pk)
    context = {
        "games": games.values(),
        "chosen": games.get(chosen),
        "quick_game": games[quick_variant],
        "pictures": game_pictures(),
        "zones": {name.replace("-", "_"): as_safe_string(zone) for name, zone in zones.markup.items()},
        "has_open_tables": bool(lists.open),
        "featured": [as_safe_string(zone) for zone in featured.markup.values()],
        "on": featured_slug,
        "shown": ".".join([*zones.digests, *featured.digests]),
    }
    if request.user.is_authenticated:
        context |= _personal_context(request.user, quick_variant, followed, language)
    return render(request, "lobby/lobby.html", context)


def _personal_context(person: User, variant: str, followed: frozenset[int], language: str) -> dict[str, Any]:
    own_tables = open_tables.load_own_tables(person.pk)
    return {
        "greeting": load_greeting(person, variant, followed, timezone.now()),
        "own_tables": table_lines(own_tables, language),
        "has_waiting_table": any(table.status == Match.Status.OPEN for table in own_tables),
        "paused": pause_reason(person.pk),
        "reports_visibility": subscriptions.has_subscription(person.pk),
    }


def _featured_zones(lists: TableLists, language: str, current_slug: str = "") -> tuple[Zones, str]:
    """Return the zones of the featured match, and its slug ("" for none)."""
    table = choose_featured_table(lists, timezone.now(), current_slug=current_slug)
    if table is None:
        return no_featured_zones(language), ""
    snapshot = delayed.snapshot_for(table.match_id, None)
    return featured_zones(snapshot.table, snapshot.view(None), language), table.slug


@require_safe
def running_match(request: HttpRequest) -> HttpResponse:
    """Return the strip with the running match without the page around it, for visible pages that poll it."""
    if request.user.is_authenticated:
        pages().mark_visible(f"strip {request.user.pk}", request.user.pk, None, timezone.now())
    return render(request, "running_match_response.html")


def _current_visitor(request: HttpRequest) -> Attendee:
    """Return the visitor as the socket of the page, which opens later, will count them."""
    user = request.user
    browser = address_key_of_request(request), request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    return Attendee(user.pk, str(user), user.pk is not None and user.is_guest, browser)


@require_http_methods(["GET", "HEAD", "POST"])
@auto_guest
def new_table(request: HttpRequest, *, submitted: QueryDict | None) -> HttpResponse:
    """Show the form of a table, with ``friends`` in the address that of a table for friends, or open the table."""
    rules = _rules_by_key((submitted.get("variant") if submitted else None) or request.GET.get("game"))
    has_account = request.user.is_authenticated and not request.user.is_guest
    initial = FRIENDS_TABLE if _is_with_friends(request) else None
    form = TableForm(rules, submitted, has_account=has_account, initial=initial)
    if submitted is not None:
        try:
            response = _open_table(Submission.from_request(request, submitted), rules, form)
            return response or _form_page(request, form, status=422)
        except Refused as refused:
            messages.error(request, str(refused.text))
            return redirect("lobby")
    return _form_page(request, form)


def _open_table(submission: Submission, rules: Rules, form: TableForm) -> HttpResponse | None:
    """Open the table of a preset or of the form; return None if the form has errors."""
    preset = preset_with_key(rules, submission.data.get("preset", ""))
    if preset is None and not form.is_valid():
        return None
    limits.enforce("tables", **submission.limit_keys)
    terms = preset.terms if preset else form.terms
    match = tables.open_table(host=submission.person, terms=terms, address=submission.address)
    return redirect("match", match.slug)


def _is_with_friends(request: HttpRequest) -> bool:
    return "friends" in request.GET


def _form_page(request: HttpRequest, form: TableForm, status: int = 200) -> HttpResponse:
    games = offered_games()
    context = {
        "form": form,
        "games": games.values(),
        "chosen": games[form.rules.key],
        "with_friends": _is_with_friends(request),
        "pictures": game_pictures(),
        "paused": pause_reason(request.user.pk),
    }
    return render(request, "lobby/new_table.html", context, status=status)


def _rules_by_key(key: str | None) -> Rules:
    """Return the rules of a variant, by default the first one. Raises Http404."""
    try:
        return offered_variants()[key or next(iter(offered_variants()))]
    except KeyError:
        raise ExplainedNotFound(_("There is no such game.")) from None
