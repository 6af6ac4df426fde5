"""Who may see and do what. Every view and consumer asks here first."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from accounts.selectors import active_sanction
from accounts.wording import sanction_text_late
from games.errors import Refused
from games.models import Match, Seat

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    Viewer = User | AnonymousUser

INTENTION = "intention"
LONGEST_INTENTION = 1000


def can_see(user: Viewer, match: Match) -> bool:
    """Whoever has the address may watch (one by link cannot be guessed); a void match only its players and staff."""
    if match.status != Match.Status.VOID:
        return True
    return bool(user.is_staff) or seat_of(user, match.pk) is not None


def visible_match(user: Viewer, slug: str) -> Match:
    """Return the match at this address. Raises Http404 where there is none for this viewer."""
    match = Match.objects.filter(slug=slug).first()
    if match is None or not can_see(user, match):
        raise Http404(_("There is no such table, or it has gone away."))
    return match


def is_over(user: Viewer, match: Match) -> bool:
    """Tell whether this viewer may know how the match ended: with a delay, spectators learn it later."""
    if match.status in Match.UNFINISHED:
        return False
    return match.shown_at is None or match.shown_at <= timezone.now() or seat_of(user, match.pk) is not None


def is_listed(match: Match) -> bool:
    """Tell whether everybody finds the match, when it is over, in the history: one by link is its players' own."""
    return match.visibility == Match.Visibility.PUBLIC and match.status != Match.Status.VOID


def not_shown() -> QuerySet[Match, dict[str, Any]]:
    """Return the keys of the few matches that are over, which spectators with a delay see still running."""
    return Match.objects.filter(shown_at__gt=timezone.now()).values("pk")


def listed_matches(user: Viewer) -> Q:
    """Return which matches the history lists for this viewer: as ``is_listed``, their own, public void ones to staff.

    Tables that closed before anybody played were no matches.
    """
    shown = Q(visibility=Match.Visibility.PUBLIC)
    if not user.is_staff:
        shown &= ~Q(status=Match.Status.VOID)
    shown &= Q(shown_at__isnull=True) | Q(shown_at__lte=timezone.now())
    if user.pk is not None:
        shown |= Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user=user.pk)))
    return shown & Q(started_at__isnull=False, finished_at__isnull=False)


def listed_seats(user: Viewer) -> Q:
    """Return the seats of the same matches."""
    shown = Q(listed=True) & ~Q(match__in=not_shown())
    if user.is_staff:
        shown |= Q(match__visibility=Match.Visibility.PUBLIC, match__status=Match.Status.VOID)
    if user.pk is not None:
        shown |= Q(match__in=Seat.objects.filter(user=user.pk).values("match"))
    return shown & Q(finished_at__isnull=False)


def seat_of(user: Viewer, match_id: int) -> int | None:
    """Return the index of the user's seat, None for spectators and visitors."""
    if user.pk is None:
        return None
    return Seat.objects.filter(match_id=match_id, user_id=user.pk).values_list("index", flat=True).first()


def require_seat(user: Viewer, match_id: int) -> int:
    """Return the index of the user's seat. Raises Refused ``not_seated``."""
    index = seat_of(user, match_id)
    if index is None:
        raise Refused("not_seated")
    return index


def require_not_suspended(user_id: int) -> None:
    """Raises Refused ``suspended`` with what, why and until when."""
    if sanction := active_sanction(user_id=user_id, kind=Sanction.Kind.SUSPENSION):
        raise Refused("suspended", sanction_text_late(sanction))


def require_not_muted(user_id: int) -> None:
    """Raises Refused ``muted`` with what, why and until when."""
    if sanction := active_sanction(user_id=user_id, kind=Sanction.Kind.MUTE):
        raise Refused("muted", sanction_text_late(sanction))


View = Callable[..., HttpResponse]


def person_required(view: View) -> View:
    """Send a visitor who posts through the guest page first; what was posted is done after the way back, once."""

    @functools.wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            _resume(request)
        elif request.method == "POST":
            return _to_guest_page(request)
        return view(request, *args, **kwargs)

    return wrapped


def _to_guest_page(request: HttpRequest) -> HttpResponse:
    posted = request.POST.urlencode()
    if len(posted) <= LONGEST_INTENTION:
        request.session[INTENTION] = {"path": request.path, "posted": posted}
    return HttpResponseRedirect(f"{reverse('guest')}?{urlencode({'next': request.get_full_path()})}")


def _resume(request: HttpRequest) -> None:
    """Turn the way back from the guest page into the POST it began with (which had passed the CSRF check)."""
    intention = request.session.pop(INTENTION, None)
    if intention and request.method == "GET" and intention["path"] == request.path:
        request.method = "POST"
        request.POST = QueryDict(intention["posted"])
