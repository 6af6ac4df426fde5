"""The pairing of a round of a Swiss or duplicate tournament. It takes a while: compute it in a worker."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from games.tournaments.core import commands
from games.tournaments.core.events import ABSENT, ASKED, BYE, Award
from games.tournaments.core.grouping import cheapest_tables
from games.tournaments.core.lots import lot
from games.tournaments.core.matching import cheapest_pairs
from games.tournaments.core.seating import BOT, Costs, Pair, all_meetings
from games.tournaments.core.shares import HALF_POINTS, WIN_POINTS
from games.tournaments.core.standings import standings
from games.tournaments.core.state import Entry, State
from games.tournaments.core.terms import table_sizes


def propose_round(state: State, present: Collection[str], seed: str, apart: Iterable[Pair] = ()) -> commands.Pair:
    """Pair the next round among the parties that the site has seen.

    ``apart`` are pairs that should not meet while there are others. They leave no trace in events.
    """
    playing, awards = [], []
    for entry in state.active:
        if entry.sits_out:
            awards.append(Award(entry.party, ASKED, asked_points(state, entry)))
        elif entry.party in present:
            playing.append(entry)
        else:
            awards.append(Award(entry.party, ABSENT, 0))
    order = standing_order(state, seed)
    parties = sorted((entry.party for entry in playing), key=order.__getitem__)
    if has_bye(state, len(parties)):
        lowest = min(reversed(parties), key=lambda party: state.entries[party].count(BYE))
        parties.remove(lowest)
        awards.append(Award(lowest, BYE, WIN_POINTS))
    costs = Costs(state, all_meetings(state), apart)
    tables = tuple(costs.seat(table, seed) for table in round_tables(state, parties, costs))
    return commands.Pair(state.round + 1, tables, tuple(awards), seed)


def asked_points(state: State, entry: Entry) -> int:
    """Return the points for sitting out: half of a table, once, and not in the last round."""
    return 0 if entry.has_half or state.round + 1 == state.rounds else HALF_POINTS


def has_bye(state: State, parties: int) -> bool:
    """Return True if a party gets no table. On boards a bot takes the empty seat: the field is the opponent."""
    return parties == 1 or (parties % 2 == 1 and state.terms.sides == 2 and not state.is_duplicate)


def standing_order(state: State, seed: str) -> dict[str, tuple[int, bytes]]:
    """Return the rank of every party that plays, with its lot among equals."""
    return {line.party: (line.rank, lot(seed, line.party)) for line in standings(state)}


def round_tables(state: State, parties: Sequence[str], costs: Costs) -> list[tuple[str, ...]]:
    """Return the tables, those of the leaders first."""
    if state.terms.sides == 2:
        seats = [*parties, BOT] if len(parties) % 2 else parties
        pairs = cheapest_pairs(len(seats), lambda one, other: costs.table_cost((seats[one], seats[other])))
        return [(seats[one], seats[other]) for one, other in pairs]
    if not parties:
        return []
    order = {party: index for index, party in enumerate(parties)}
    tables = cheapest_tables(parties, table_sizes(len(parties), state.terms.sides), costs)
    return sorted(tables, key=lambda table: min(map(order.__getitem__, table)))
