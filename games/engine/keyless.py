"""Replay a finished record whose keys were removed, as in open data: every deal and move is decided again.

``proof`` checks records with their keys, which also prove that nobody chose the deals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.engine.decide import deal_explicit
from games.engine.events import DealEvent, DealVoided, Event, RoundDealt
from games.engine.proof import event_letters
from games.engine.refusal import Refusal
from games.engine.replay import Decision, decisions, replay_differences, start_event
from games.engine.rules import Deal, Rules
from games.engine.variants import rules_for

WHOLE_MATCH = re.compile("S(?:v*dm*e)*(?:x|v*dm*(?:x|ef))")  # in the letters of ``event_letters``


def keyless_differences(events: Sequence[Event]) -> Iterator[str]:
    """Yield a sentence for each difference from what today's rules decide. Raises ``BadRecord``."""
    rules = rules_for(start_event(events).variant)
    if not WHOLE_MATCH.fullmatch(event_letters(events)):
        yield "The events are not those of a whole match, in order and without keys."
    for decision in decisions(events):
        if isinstance(decision.events[0], DealEvent):
            yield from _deal_differences(rules, decision)
    yield from replay_differences(events)


def _deal_differences(rules: Rules, decision: Decision) -> Iterator[str]:
    """Deal the recorded tiles again: they are the whole set, and the lead and the scores follow from them."""
    *voided, dealt = decision.events
    if not isinstance(dealt, RoundDealt):
        yield f"Event {decision.seq}: a void deal is the last one."
        return
    for attempt, event in enumerate(voided, 1):
        if not (isinstance(event, DealVoided) and _is_void(rules, decision, event, attempt)):
            yield f"Event {decision.seq}: attempt {attempt} is not void today."
    try:
        (today,) = deal_explicit(rules, decision.state, _deal_of(dealt), lead=dealt.to_move)
    except Refusal as refusal:
        yield f"Event {decision.seq}: refused today, {refusal.rule or refusal.code}."
        return
    if not isinstance(today, RoundDealt) or replace(today, attempt=len(decision.events)) != dealt:
        yield f"Event {decision.seq}: {dealt!r}; today {today!r}."


def _is_void(rules: Rules, decision: Decision, event: DealVoided, attempt: int) -> bool:
    deal, number = _deal_of(event), decision.state.round.number + 1
    expected = DealVoided(
        number, attempt, deal.hands, deal.boneyard, rules.void_rule(deal), "", deal.start, deal.aside
    )
    return bool(event.rule) and rules.has_shape(decision.state, deal) and event == expected


def _deal_of(event: DealEvent) -> Deal:
    return Deal(event.hands, event.boneyard, event.start, event.aside)
