"""The effects that a moderator's decision would have now, in the active language, shown before it is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Count, Q, Sum
from django.db.models.functions import Abs
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Sanction, User
from accounts.sanctions.measures import SUSPENDING_KINDS
from games.engine.variants import rules_for
from games.enums import Correction
from games.match import snapshots
from games.models import Case, Match, Message, RatingChange, Seat
from games.moderation.decisions import reported_matches, seats_of
from infrastructure.bidi import isolate

OVER = (Match.Status.FINISHED, Match.Status.STOPPED)
Parts = list[str]  # parts of a sentence


def leaving(user: User) -> Parts:
    """Return how many tables a person would leave who may no longer play, and how these go on."""
    seats = Seat.objects.filter(Q(match__status=Match.Status.OPEN) | Q(match__status=Match.Status.RUNNING, bot=""))
    return _vacating(seats.filter(user=user).select_related("match").defer("match__secret"))


def _vacating(seats: Iterable[Seat]) -> Parts:
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
    """Return at how many seats and lines of chat a name would change."""
    name = user.name or user.username
    seats = Seat.objects.filter(user=user, name=name).count()
    lines = Message.objects.filter(user=user, name=name).count()
    return [
        *_part(seats, ngettext("changes %(count)d seat", "changes %(count)d seats", seats)),
        *_part(lines, ngettext("changes %(count)d line of chat", "changes %(count)d lines of chat", lines)),
    ]


def stopping(matches: Sequence[Match]) -> Parts:
    """Return how many matches and open tables would end."""
    running = sum(match.status == Match.Status.RUNNING for match in matches)
    waits = sum(match.status == Match.Status.OPEN for match in matches)
    return [
        *_part(running, ngettext("stops %(count)d running match", "stops %(count)d running matches", running)),
        *_part(waits, ngettext("closes %(count)d open table", "closes %(count)d open tables", waits)),
    ]


def taking_back(matches: Sequence[Match]) -> Parts:
    """Return how many rating points would go back, and how many ratings would change."""
    over = [match.pk for match in matches if match.status in OVER]
    gains = Seat.objects.filter(match__in=over, user__isnull=False).exclude(points_gain=None).exclude(points_gain=0)
    gained = gains.aggregate(points=Sum(Abs("points_gain")), people=Count("user", distinct=True))
    points, people = gained["points"] or 0, gained["people"]
    rated = RatingChange.objects.filter(match__in=over, user__isnull=False).values("user").distinct().count()
    text = ngettext(
        "%(points)d rating points of %(count)d person go back",
        "%(points)d rating points of %(count)d people go back",
        people,
    )
    return [
        *_part(people, text, points=points),
        *_part(
            rated,
            ngettext("the rating of %(count)d person changes", "the ratings of %(count)d people change", rated),
        ),
    ]


def settling(seats: Iterable[Seat]) -> Parts:
    """Return how the matches would end."""
    return [text for seat in seats if (text := _settling(seat))]


def _settling(seat: Seat) -> str:
    """Return how the match would end, without ranks if spectators see it with a delay: they would reveal its state."""
    state = snapshots.current_snapshot(seat.match_id).state
    if seat.match.status != Match.Status.RUNNING or state is None:
        return ""
    if seat.match.delay != Match.Delay.NONE:
        return _("ends the match")
    ended = rules_for(seat.match.variant).leave(state, seat.index, "left")
    names = seat.match.seats.order_by("index").values_list("name", flat=True)
    ranks = sorted(zip(ended.places, names, strict=True))
    places = "; ".join(f"{place}. {isolate(name)}" for place, name in ranks)
    return _("ends the match: %(places)s") % {"places": places}


def hiding(lines: Sequence[Message]) -> Parts:
    """Return how many lines would disappear."""
    visible = sum(not line.hidden for line in lines)
    return _part(visible, ngettext("hides %(count)d line", "hides %(count)d lines", visible))


def of_case(case: Case) -> dict[str, str]:
    """Return a sentence with the effects of each choice in the decision of a case, by choice.

    Choices without any effect beyond their name are left out.
    """
    matches = list(reported_matches(case))
    unfinished = [match for match in matches if match.status in Match.UNFINISHED]
    lines = list(Message.objects.filter(pk__in=case.reports.values("message")))
    back = taking_back(matches)
    voided = ngettext("%(count)d match counts for nothing", "%(count)d matches count for nothing", len(matches))
    parts: dict[str, Parts] = {
        "hide": hiding(lines),
        Correction.REMOVE: _vacating(seats_of(case, Correction.REMOVE)),
        Correction.SETTLE: settling(seats_of(case, Correction.SETTLE)),
        Correction.STOP: stopping(unfinished),
        Correction.VOID: [*_part(len(matches), voided), *back],
        Correction.RATINGS: back,
    }
    texts = {choice: "; ".join(part) for choice, part in parts.items()}
    if case.suspect:
        leaves = "; ".join(leaving(case.suspect))
        texts |= dict.fromkeys(map(str, SUSPENDING_KINDS), leaves)
        texts[Sanction.Kind.RENAMING] = "; ".join(renaming(case.suspect))
    return {str(choice): f"{text[0].upper()}{text[1:]}." for choice, text in texts.items() if text}


def _part(number: int, text: str, **more: int) -> Parts:
    return [text % ({"count": number} | more)] if number else []
