"""Twenty cases to train moderators with: people, matches, what was said at them, and the reports that came of it.

The advice says what an experienced moderator would do, and why. Several reports are unjustified: that is part of the
work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import count

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.cases.reporting import Place, report
from games.conduct import ledger
from games.engine.events import Drew, Passed, Played
from games.engine.variants import rules_for
from games.enums import ConductKind, Measure, ReportReason
from games.match import record
from games.match.match_rows import lock
from games.models import Case, Match, Message
from games.review import steps
from games.services import lobby, play
from games.services.moves import MoveRequest, make_moves
from games.terms.presets import presets_of

TURNS = 6
"""So many turns are played at each table."""
AGO, QUICK, SLOW, SAID_AFTER = (timedelta(seconds=seconds) for seconds in (1800, 8, 51, 3))
R, C = ReportReason, ConductKind


@dataclass(frozen=True, slots=True)
class Sample:
    """One case. ``lines`` are the writer (``s``uspect or ``r``eporter) and what they wrote; ``line`` is reported.

    ``marks`` are the lines of the suspect's conduct ledger, ``reports`` how many people report the same.
    """

    suspect: str
    reason: str
    measure: str
    advice: str
    lines: tuple[tuple[str, str], ...] = ()
    line: int | None = None
    words: str = ""
    variant: str = "kozel"
    step: int | None = None
    marks: tuple[str, ...] = ()
    reports: int = 1


SAMPLES = (
    Sample(
        "Igor V", R.INSULTS, Measure.MUTE, "Twice, and after being asked to stop: mute for a day, hide the lines.",
        (("s", "Are you asleep, idiot?"), ("r", "Please stop that."), ("s", "Idiot. Cow. Go and knit.")), 2,
    ),
    Sample(
        "Marta", R.INSULTS, Measure.DISMISS, "Friends who tease each other; the answer shows it.",
        (("s", "You old goat!"), ("r", "Says the goat of yesterday :)"), ("s", "I will get you yet")), 0,
    ),
    Sample(
        "Petr S", R.INSULTS, Measure.SUSPEND, "A threat against a person outside the game: suspend, hide the line.",
        (("s", "I know where you live. Wait for it."), ("r", "What?")), 0, reports=3,
    ),
    Sample(
        "Zuzka", R.INSULTS, Measure.WARN, "Once, in anger, and sorry at once: a warning is enough.",
        (("s", "Damn you and your doubles"), ("s", "Sorry, that was the tiles talking")), 0,
    ),
    Sample(
        "CheapTiles", R.SPAMS, Measure.CLOSE, "Nothing but advertising, from an account of today: close it.",
        (("s", "Best watches at http://example.com"), ("s", "Best watches at http://example.com")), 0, reports=2,
    ),
    Sample(
        "Lajos", R.SPAMS, Measure.WARN, "The same word six times; the flood is in his ledger, too.",
        tuple(("s", "goooo") for _ in range(6)), 3, marks=(C.FLOOD,),
    ),
    Sample(
        "Hana", R.SPAMS, Measure.DISMISS, "Ready phrases, three in a match: that is what they are there for.",
        (("s", "Well played!"), ("s", "Good luck!"), ("s", "Good game!")), 1,
    ),
    Sample(
        "Slow Joe", R.STALLS, Measure.WARN, "Late again and again in one week, never away: warn.",
        marks=(C.LATE, C.LATE, C.LATE, C.LATE), words="He lets the clock run whenever he is losing.",
    ),
    Sample(
        "Ewa", R.STALLS, Measure.DISMISS, "One held seat in a month: a line broke.",
        (("s", "Sorry, tunnel"),), 0, marks=(C.HELD,), words="She was gone for a minute.",
    ),
    Sample(
        "Quitter99", R.STALLS, Measure.UPHOLD, "He leaves, and that pauses his rated play already: no more is needed.",
        marks=(C.LEFT, C.LEFT, C.LEFT), reports=2,
    ),
    Sample(
        "Nino", R.THROWS, Measure.DISMISS, "One bad move is none on purpose: two steps before, he plays well.",
        step=5, words="Nobody plays that!",
    ),
    Sample(
        "Vera", R.THROWS, Measure.PAUSE, "She says it herself: pause her from rated play, where it hurts others.",
        (("s", "Take the points, I promised"), ("r", "What are you doing?")), 0, step=4, reports=2,
    ),
    Sample(
        "Pair A", R.COLLUDES, Measure.SUSPEND, "They tell each other their tiles in a match without partners.",
        (("s", "I have no sixes, lead them"), ("r", "That is cheating")), 0, step=4,
    ),
    Sample(
        "Bruno", R.COLLUDES, Measure.DISMISS, "The two sat together once, and the play is what anybody would do.",
        step=3, words="They always pass to each other.",
    ),
    Sample(
        "Oracle", R.ASSISTED, Measure.DISMISS, "Good moves alone prove nothing, and the bot would have played others.",
        step=5, words="Too good to be true.", variant="all_fives",
    ),
    Sample(
        "Ada B", R.ASSISTED, Measure.WARN, "She has her brother beside her and says so: casual play, so a warning.",
        (("s", "My brother says the double six"),), 0, step=2, variant="all_fives",
    ),
    Sample(
        "Kick the weak", R.NAME, Measure.RENAME, "No name for any table: take it away. The person may play on.",
        reports=3,
    ),
    Sample(
        "Magnus C", R.NAME, Measure.UPHOLD, "A famous name, but no claim to be that person.",
        words="That is not the real one!",
    ),
    Sample(
        "Twin one", R.SEVERAL, Measure.WARN, "Guests of one home may be two people; warn where they share a table.",
        words="Twin one and Twin two never play at the same time.",
    ),
    Sample(
        "Back again", R.SEVERAL, Measure.SUSPEND, "Says that he is the one who was suspended yesterday.",
        (("s", "They threw me out yesterday, here I am again"),), 0, reports=2,
    ),
)  # fmt: skip


@transaction.atomic
def make(samples: tuple[Sample, ...] = SAMPLES) -> list[Case]:
    """Make the cases and all that they need. Return them in the order of the samples."""
    numbers = count(User.objects.order_by("-pk").values_list("pk", flat=True).first() or 0)
    return [_make(sample, numbers) for sample in samples]


def _make(sample: Sample, numbers: count[int]) -> Case:
    suspect = _person(sample.suspect, numbers)
    reporters = [_person(f"Reporter {number + 1}", numbers) for number in range(sample.reports)]
    match = _played(sample.variant, suspect, reporters[0])
    writers = {"s": suspect, "r": reporters[0]}
    lines = [
        Message.objects.create(match=match, user=writers[writer], name=writers[writer].name, text=text)
        for writer, text in sample.lines
    ]
    for number, kind in enumerate(reversed(sample.marks)):
        ledger.charge(suspect.pk, kind, timezone.now() - timedelta(hours=2 * len(sample.marks) - number))
    _spread(match, lines, slow=suspect.pk if C.LATE in sample.marks else None)
    step = sample.step and _own_step(match, suspect, sample.step)
    place = Place(match, step, None if sample.line is None else lines[sample.line])
    told = [
        report(reporter=reporter, suspect=suspect, reason=sample.reason, place=place, words=sample.words)
        for reporter in reporters
    ]
    return told[0].case


def _person(name: str, numbers: count[int]) -> User:
    user = User(username=f"sample-{next(numbers) + 1}", name=name)
    user.set_unusable_password()
    user.save()
    return user


def _played(variant: str, *people: User) -> Match:
    """Return a match of these people and bots after a few moves, stopped by all."""
    host, *others = people
    terms = presets_of(rules_for(variant))[0].terms
    match = lobby.create_table(
        host=host,
        variant=variant,
        seats=terms.seats,
        options=terms.options,
        clock=Match.Clock.NORMAL,
        visibility=Match.Visibility.PUBLIC,
        rated=False,
    )
    for other in others:
        lobby.sit(match=match, user=other)
    lobby.fill_with_bots(match=match, by=host)
    match.refresh_from_db()
    play.start_match(match=match)
    for _ in range(TURNS):
        _make_a_turn(match.pk)
    play.stop(match_id=match.pk, reason="agreed")
    match.refresh_from_db()
    return match


def _own_step(match: Match, person: User, near: int) -> int:
    """Return the step of the review nearest to a number in which a person moved, or that number if there is none."""
    seat = match.seats.get(user=person).index
    made = [
        step for step in steps.past(match.pk, match.version).steps if getattr(step.events[0], "seat", None) == seat
    ]
    return min((step.number for step in made), key=lambda number: abs(number - near), default=near)


def _spread(match: Match, lines: Sequence[Message], *, slow: int | None) -> None:
    """Give the moves the time that they take, of somebody ``slow`` a long one, and say the lines in between."""
    seats = dict(match.seats.values_list("index", "user"))
    events = record.events(match.pk)
    took = [SLOW if slow and seats.get(getattr(event, "seat", -1)) == slow else QUICK for event in events]
    moments = [timezone.now() - AGO + sum(took[: number + 1], timedelta()) for number in range(len(events))]
    made = [number for number, event in enumerate(events) if isinstance(event, Played | Drew | Passed)]
    record.redate(match.pk, moments)
    Match.objects.filter(pk=match.pk).update(started_at=moments[0], finished_at=moments[-1])
    for number, line in enumerate(lines, 1):
        line.at = moments[made[number * len(made) // len(lines) - 1]] + SAID_AFTER
        line.save(update_fields=["at"])


def _make_a_turn(match_id: int) -> None:
    """Make first legal moves for whoever's turn it is, until it is somebody else's."""
    seat = lock([match_id])[match_id].to_move
    while seat is not None and (row := lock([match_id])[match_id]).to_move == seat:
        holder, rules = row.holders[seat], rules_for(row.variant)
        move = rules.move_text(rules.legal_moves(record.state_of(match_id, row.version))[0])
        make_moves([MoveRequest(match_id, row.version, move, *((None, seat) if holder.bot else (holder.user_id,)))])
