"""Computes the standing of a tournament from the file of its events: ``python -m games.tournaments.core < FILE``."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from games.tournaments.core.evolve import fold
from games.tournaments.core.notation import event_from_data
from games.tournaments.core.standings import Line, standings


def standing_of_file(data: Mapping[str, Any]) -> tuple[Line, ...]:
    """Return the standing that follows from the events of a downloaded file."""
    return standings(fold(event_from_data(event["kind"], event["data"]) for event in data["events"]))


def main() -> None:
    data = json.load(sys.stdin)
    for line in standing_of_file(data):
        names = " + ".join(data["people"].get(person, person) for person in line.party.split("+"))
        print(f"{line.rank}\t{names}\t{float(line.points):g}")


if __name__ == "__main__":
    main()
