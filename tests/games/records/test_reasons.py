"""What is said of uploaded records that cannot be shown."""

from __future__ import annotations

import json

import pytest

from games.records import validation
from games.records.unreadable import Unreadable
from tests.games.records.test_imported import as_json


def test_a_file_that_is_cut_off_is_called_that() -> None:
    # Half of a line: the text ends where something more is expected.
    with pytest.raises(Unreadable, match=r"cut off: it cannot be read from line 1, character \d+ on\.$"):
        validation.checked(as_json()[:5000])


def test_what_was_changed_is_told_by_its_event_without_quoting_it() -> None:
    data = json.loads(as_json())
    dealt = next(row for row in data["events"] if row["kind"] == "round_dealt")
    dealt["hands"][0][0], dealt["hands"][1][0] = dealt["hands"][1][0], dealt["hands"][0][0]
    with pytest.raises(Unreadable, match=rf"changed: what it says happened at event {dealt['seq']} is not"):
        validation.checked(json.dumps(data))
