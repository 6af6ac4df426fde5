"""What an act of a moderator would do at this moment, in the active language: shown before it is pressed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Count, Q, Sum
from django.db.models.functions import Abs
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Sanction, User
from accounts.sanctions import previews
from accounts.sanctions.measures import SHUT_OUT
from games.engine.variants import rules_for
from games.enums import Correction
from games.match import snapshots
from games.models import Case, Match, Message, RatingChange, Seat
from games.moderation.decisions import SEATED, reported_matches, seats_of
from infrastructure.bidi import isolate

OVER = (Match.Status.FINISHED, Match.Status.STOPPED)
Parts = list[str]


def leaving(user: User) -> Parts:
    """Say which tables a person leaves who may no longer play, and what becomes of them."""
    seats = Seat.objects.filter(Q(match__status=Match.Status.OPEN) | Q(match__status=Match.Status.RUNNING, bot=""))
    return _emptied(seats.filter(user=user).select_related("match").defer("match__secret"))


def _emptied(seats: Iterable[Seat]) -> Parts:
    matches = [seat.match for seat in seats]
    running = [match for match in matches if match.status == Match.Status.RUNNING]
    ending = [match for match in running if match.absence == Match.Absence.FORFEIT]
    waits, ends, rated = len(matches) - len(running), len(ending), sum(match.rated for match in ending)
    goes_on = len(running) - ends
    return [
        *_part(waits, ngettext("leaves %(count)d open table", "leaves %(count)d open tables", waits)),
        *_part(rated, ngettext("ends %(count)d rated match", "ends %(count)d rated matches", rated)),
        *_part(ends - rated, ngettext("ends %(count)d casual match", "ends %(count)d casual matches", ends - rated)),
        *_part(goes_on, ngettext("a bot plays on in %(count)d match", "a bot plays on in %(count)d matches", goes_on)),
    ]


def renaming(user: User) -> Parts:
    """Say at how many seats and lines of chat a name changes."""
    name = user.name or user.username
    seats = Seat.objects.filter(user=user, name=name).count()
    lines = Message.objects.filter(user=user, name=name).count()
    return [
        *_part(seats, ngettext("changes %(count)d seat", "changes %(count)d seats", seats)),
        *_part(lines, ngettext("changes %(count)d line of chat", "changes %(count)d lines of chat", lines)),
    ]


def stopping(matches: Sequence[Match]) -> Parts:
    """Say how many matches and open tables end."""
    running = sum(match.status == Match.Status.RUNNING for match in matches)
    waits = sum(match.status == Match.Status.OPEN for match in matches)
    return [
        *_part(running, ngettext("stops %(count)d running match", "stops %(count)d running matches", running)),
        *_part(waits, ngettext("closes %(count)d open table", "closes %(count)d open tables", waits)),
    ]


def taking_back(matches: Sequence[Match]) -> Parts:
    """Say how many rating points go back, and how many ratings change."""
    over = [match.pk for match in matches if match.status in OVER]
    gains = Seat.objects.filter(match__in=over, user__isnull=False).exclude(points_gain=None).exclude(points_gain=0)
    gained = gains.aggregate(points=Sum(Abs("points_gain")), people=Count("user", distinct=True))
    points, people = gained["points"] or 0, gained["people"]
    rated = RatingChange.objects.filter(match__in=over, user__isnull=False).values("user").distinct().count()
    told = ngettext(
        "%(points)d rating points of %(count)d person go back",
        "%(points)d rating points of %(count)d people go back",
        people,
    )
    return [
        *_part(people, told, points=points),
        *_part(
            rated,
            ngettext("the rating of %(count)d person changes", "the ratings of %(count)d people change", rated),
        ),
    ]


def settling(seats: Iterable[Seat]) -> Parts:
    """Say who would come where."""
    return [said for seat in seats if (said := _settled(seat))]


def _settled(seat: Seat) -> str:
    """Return how the match would end. Where spectators see it later, the places would tell what they do not know."""
    state = snapshots.current(seat.match_id).state
    if seat.match.status != Match.Status.RUNNING or state is None:
        return ""
    if seat.match.delay != Match.Delay.NONE:
        return _("ends the match")
    ended = rules_for(seat.match.variant).leave(state, seat.index, "left")
    names = seat.match.seats.order_by("index").values_list("name", flat=True)
    placed = sorted(zip(ended.places, names, strict=True))
    places = "; ".join(f"{place}. {isolate(name)}" for place, name in placed)
    return _("ends the match: %(places)s") % {"places": places}


def hiding(lines: Sequence[Message]) -> Parts:
    """Say how many lines disappear from every screen."""
    shown = sum(not line.hidden for line in lines)
    return _part(shown, ngettext("hides %(count)d line", "hides %(count)d lines", shown))


def of_case(case: Case) -> dict[str, str]:
    """Return what each choice in the decision of a case would do now, as sentences, by the choice.

    What applies to no line or match is left out; of measures, those that do nothing beside what their name says.
    """
    matches = list(reported_matches(case))
    unfinished = [match for match in matches if match.status in Match.UNFINISHED]
    lines = list(Message.objects.filter(pk__in=case.reports.values("message")))
    back = taking_back(matches)
    voided = ngettext("%(count)d match counts for nothing", "%(count)d matches count for nothing", len(matches))
    parts: dict[str, Parts] = {
        "hide": hiding(lines),
        Correction.REMOVE: _emptied(seats_of(case, SEATED[Correction.REMOVE])),
        Correction.SETTLE: settling(seats_of(case, SEATED[Correction.SETTLE])),
        Correction.STOP: stopping(unfinished),
        Correction.VOID: [*_part(len(matches), voided), *back],
        Correction.RATINGS: back,
    }
    texts = {choice: "; ".join(part) for choice, part in parts.items()}
    if case.suspect:
        texts |= previews.of_each(Sanction.Kind.values, case.suspect)
    return {str(choice): f"{text[0].upper()}{text[1:]}." for choice, text in texts.items() if text}


def _part(number: int, text: str, **more: int) -> Parts:
    return [text % ({"count": number} | more)] if number else []


previews.register(SHUT_OUT, leaving)
previews.register([Sanction.Kind.RENAMING], renaming)
