"""Size and cost of open data, with matches of random moves: ``python -m benchmarks.open_data [MATCHES]``."""

from __future__ import annotations

import gzip
import sys
import time

from games.engine.playout import playout
from games.engine.replay import decisions
from games.engine.variants import registry, rules_for
from games.match_reports.choices import find_choice
from games.match_reports.report import Choice
from games.open_data.content import MatchContent, write_match
from games.open_data.source import SourceMatch

MATCHES = 20


def source_match(variant: str, number: int) -> SourceMatch:
    """Return a match with the largest number of players, in which every choice is judged."""
    rules = rules_for(variant)
    seats = max(rules.seat_counts)
    events = playout(rules, seats, {}, f"open data {number}")
    positions = filter(None, map(find_choice, decisions(events)))
    moves = ((position, rules.move_text(position.move)) for position in positions)
    choices = [Choice(position.seq, position.seat, 1.25, text, text, 0.0123, 0.4567) for position, text in moves]
    return SourceMatch(
        number,
        variant,
        f"{number:012x}",
        {"day": "2026-10-15", "kind": "rated", "clock": "normal", "absence": "hold"},
        [{"name": f"{seat:012x}"} for seat in range(seats)],
        [{"rating": 1500 + seat, "deviation": 200} for seat in range(seats)],
        list(enumerate(events, 1)),
        tuple(choices),
    )


def main(count: int) -> None:
    for variant in registry():
        matches = [source_match(variant, number) for number in range(count)]
        start = time.process_time()
        contents = list(map(write_match, matches))
        seconds = (time.process_time() - start) / count
        assert not any(content.fault for content in contents)
        sizes = [size(contents, name) / count for name in ("line", "transcript", "choices")]
        files = ", ".join(
            f"{name} {bytes_:,.0f}" for name, bytes_ in zip(MatchContent._fields[2:5], sizes, strict=True)
        )
        print(f"{variant}: {seconds * 1000:.0f} ms of CPU a match; compressed bytes a match: {files}")


def size(contents: list[MatchContent], name: str) -> int:
    return len(gzip.compress("".join(getattr(content, name) for content in contents).encode(), 6))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES)
