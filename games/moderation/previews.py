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
from games.enums import MatchCorrection
from games.match import snapshots
from games.models import Case, Match, Message, RatingChange, Seat
from games.moderation.decisions import correctable_seats, lines_of_writers, reported_matches, writable_matches
from infrastructure.bidi import isolate

OVER_STATUSES = (Match.Status.FINISHED, Match.Status.STOPPED)
Parts = list[str]  # parts of a sentence


def preview_leaving(user: User) -> Parts:
    """Return how many tables a person would leave who may no longer play, and how these go on."""
    seats = Seat.objects.filter(Q(match__status=Match.Status.OPEN) | Q(match__status=Match.Status.RUNNING, bot=""))
    return _preview_leaving_seats(seats.filter(user=user).select_related("match").defer("match__secret"))


def _preview_leaving_seats(seats: Iterable[Seat]) -> Parts:
    matches = [seat.match for seat in seats]
    running = [match for match in matches if match.status == Match.Status.RUNNING]
    matches_to_end = [match for match in running if match.absence == Match.Absence.FORFEIT]
    open_count, ending_count, rated_count = (
        len(matches) - len(running),
        len(matches_to_end),
        sum(match.rated for match in matches_to_end),
    )
    continuing_count = len(running) - ending_count
    return [
        *_counted_part(
            open_count, ngettext("leaves %(count)d open table", "leaves %(count)d open tables", open_count)
        ),
        *_counted_part(
            rated_count, ngettext("ends %(count)d rated match", "ends %(count)d rated matches", rated_count)
        ),
        *_counted_part(
            ending_count - rated_count,
            ngettext("ends %(count)d casual match", "ends %(count)d casual matches", ending_count - rated_count),
        ),
        *_counted_part(
            continuing_count,
            ngettext("a bot plays on in %(count)d match", "a bot plays on in %(count)d matches", continuing_count),
        ),
    ]


def preview_renaming(user: User) -> Parts:
    """Return at how many seats and lines of chat a name would change."""
    name = user.name or user.username
    seats = Seat.objects.filter(user=user, name=name).count()
    lines = Message.objects.filter(user=user, name=name).count()
    return [
        *_counted_part(seats, ngettext("changes %(count)d seat", "changes %(count)d seats", seats)),
        *_counted_part(lines, ngettext("changes %(count)d line of chat", "changes %(count)d lines of chat", lines)),
    ]


def preview_stopping(matches: Sequence[Match]) -> Parts:
    """Return how many matches and open tables would end."""
    running = sum(match.status == Match.Status.RUNNING for match in matches)
    open_count = sum(match.status == Match.Status.OPEN for match in matches)
    return [
        *_counted_part(running, ngettext("stops %(count)d running match", "stops %(count)d running matches", running)),
        *_counted_part(
            open_count, ngettext("closes %(count)d open table", "closes %(count)d open tables", open_count)
        ),
    ]


def preview_taking_ratings_back(matches: Sequence[Match]) -> Parts:
    """Return how many rating points would go back, and how many ratings would change."""
    over = [match.pk for match in matches if match.status in OVER_STATUSES]
    gains = Seat.objects.filter(match__in=over, user__isnull=False).exclude(points_gain=None).exclude(points_gain=0)
    totals = gains.aggregate(points=Sum(Abs("points_gain")), people=Count("user", distinct=True))
    points, people = totals["points"] or 0, totals["people"]
    rated = RatingChange.objects.filter(match__in=over, user__isnull=False).values("user").distinct().count()
    text = ngettext(
        "%(points)d rating points of %(count)d person go back",
        "%(points)d rating points of %(count)d people go back",
        people,
    )
    return [
        *_counted_part(people, text, points=points),
        *_counted_part(
            rated,
            ngettext("the rating of %(count)d person changes", "the ratings of %(count)d people change", rated),
        ),
    ]


def preview_settling(seats: Iterable[Seat]) -> Parts:
    """Return how the matches would end."""
    return [text for seat in seats if (text := _preview_settling_match(seat))]


def _preview_settling_match(seat: Seat) -> str:
    """Return how the match would end, without ranks if spectators see it with a delay: they would reveal its state."""
    state = snapshots.current_snapshot(seat.match_id).state
    if seat.match.status != Match.Status.RUNNING or state is None:
        return ""
    if seat.match.delay != Match.Delay.NONE:
        return _("ends the match")
    result = rules_for(seat.match.variant).leave(state, seat.index, "left")
    names = seat.match.seats.order_by("index").values_list("name", flat=True)
    ranks = sorted(zip(result.places, names, strict=True))
    places = "; ".join(f"{place}. {isolate(name)}" for place, name in ranks)
    return _("ends the match: %(places)s") % {"places": places}


def preview_hiding(lines: Sequence[Message]) -> Parts:
    """Return how many lines would disappear."""
    visible = sum(not line.hidden for line in lines)
    return _counted_part(visible, ngettext("hides %(count)d line", "hides %(count)d lines", visible))


def _preview_limiting_chats(case: Case, correction: str) -> Parts:
    """Return at how many tables the chats would change."""
    count = len(writable_matches(case, correction))
    return _counted_part(count, ngettext("at %(count)d table", "at %(count)d tables", count))


def decision_previews(case: Case) -> dict[str, str]:
    """Return a sentence with the effects of each choice in the decision of a case, by choice.

    Choices without any effect beyond their name are left out.
    """
    matches = list(reported_matches(case))
    unfinished = [match for match in matches if match.status in Match.UNFINISHED]
    lines = list(Message.objects.filter(pk__in=case.reports.values("message")))
    taken_ratings = preview_taking_ratings_back(matches)
    void_text = ngettext("%(count)d match counts for nothing", "%(count)d matches count for nothing", len(matches))
    parts: dict[str, Parts] = {
        "hide": preview_hiding(lines),
        "hide_writers": preview_hiding(list(lines_of_writers(case))),
        MatchCorrection.SLOW_CHAT: _preview_limiting_chats(case, MatchCorrection.SLOW_CHAT),
        MatchCorrection.CLOSE_CHAT: _preview_limiting_chats(case, MatchCorrection.CLOSE_CHAT),
        MatchCorrection.REMOVE: _preview_leaving_seats(correctable_seats(case, MatchCorrection.REMOVE)),
        MatchCorrection.SETTLE: preview_settling(correctable_seats(case, MatchCorrection.SETTLE)),
        MatchCorrection.STOP: preview_stopping(unfinished),
        MatchCorrection.VOID: [*_counted_part(len(matches), void_text), *taken_ratings],
        MatchCorrection.RATINGS: taken_ratings,
    }
    texts = {choice: "; ".join(part) for choice, part in parts.items()}
    if case.suspect:
        leaving_text = "; ".join(preview_leaving(case.suspect))
        texts |= dict.fromkeys(map(str, SUSPENDING_KINDS), leaving_text)
        texts[Sanction.Kind.RENAMING] = "; ".join(preview_renaming(case.suspect))
    return {str(choice): f"{text[0].upper()}{text[1:]}." for choice, text in texts.items() if text}


def _counted_part(number: int, text: str, **extra: int) -> Parts:
    return [text % ({"count": number} | extra)] if number else []
