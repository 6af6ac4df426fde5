"""Facts by which one move is better than another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter

from games.bots.outcomes import Course
from games.engine.moves import Move
from games.engine.view import View
from games.explanations.courses import course_facts
from games.explanations.fact import Fact
from games.explanations.line_facts import line_facts
from games.explanations.point_facts import point_facts
from games.explanations.standpoint import Standpoint

MAX_FACTS = 2
# Drawbacks whose sentences do not hint at the better move.
DRAWBACKS = ("threat", "draw_costs", "closes", "blocks", "none_fits", "dead_double", "strands")
# The kinds of position facts, in groups about the same, the most telling first. Of a group at most one is stated.
GROUPS = (
    ("wins", "threat"),
    ("hexagon", "bridge", "scores", "draw_costs"),
    ("closes", "blocks"),
    ("remembered", "below_limit"),
    ("must_draw", "must_pass", "lacks", "own_end"),
    ("allows_only", "allows", "few_score"),
    ("prepares",),
    ("none_fits", "keeps"),
    ("dead_double", "strands"),
)
# Kinds that say less than what playouts show.
WEAK_GROUPS = (("few_fit",), ("more_fit",), ("heavy",))
# The kinds of course facts that repeat a group of position facts.
SAME_AS = {
    "often_stuck": "must_draw",
    "fewer_replies": "allows",
    "next_points": "prepares",
    "often_plays": "none_fits",
}


def explain(view: View, better: Move, worse: Move, courses: Sequence[tuple[Course, Course]] = ()) -> tuple[Fact, ...]:
    """Return at most two facts by which one move is better than another, the most telling first.

    ``view`` is that of the seat to move, and ``courses`` are pairs of playouts of both moves in the same positions.
    Without such facts nothing is returned.
    """
    if view.viewer is None or better == worse:
        return ()
    before = Standpoint(view, view.viewer)
    facts = list(position_facts(before, better, worse))
    playouts = list(course_facts(before, [pair[0] for pair in courses], [pair[1] for pair in courses]))
    playouts.sort(key=attrgetter("weight"), reverse=True)
    reasons, results = ([row.fact for row in playouts if row.is_result == kind] for kind in (False, True))
    ranked = chain(_in_order(facts, GROUPS), reasons, _in_order(facts, WEAK_GROUPS), results)
    return tuple(_without_repetition(ranked))[:MAX_FACTS]


def drawback(view: View, better: Move, worse: Move) -> tuple[Fact, ...]:
    """Return a fact that speaks against the worse move and does not give away the better one, if there is one."""
    if view.viewer is None or better == worse:
        return ()
    facts = position_facts(Standpoint(view, view.viewer), better, worse)
    against = [fact for fact in facts if fact.kind in DRAWBACKS and not fact.is_about_better]
    return tuple(sorted(against, key=lambda fact: DRAWBACKS.index(fact.kind))[:1])


def position_facts(before: Standpoint, better: Move, worse: Move) -> Iterator[Fact]:
    """Yield every fact of the position, in no order."""
    better_aftermath, worse_aftermath = before.after(better), before.after(worse)
    yield from point_facts(better_aftermath, worse_aftermath)
    yield from line_facts(better_aftermath, worse_aftermath)


def _in_order(facts: Iterable[Fact], groups: Sequence[Sequence[str]]) -> Iterator[Fact]:
    by_kind = {fact.kind: fact for fact in facts}
    for kind in chain(*groups):
        if kind in by_kind:
            yield by_kind[kind]


def _without_repetition(facts: Iterable[Fact]) -> Iterator[Fact]:
    seen: set[object] = set()
    for fact in facts:
        kind = SAME_AS.get(fact.kind, fact.kind)
        group = next((group for group in GROUPS if kind in group), kind)
        if group not in seen:
            seen.add(group)
            yield fact
