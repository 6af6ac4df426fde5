"""The page that verifies a match has words for all that its script may find."""

from __future__ import annotations

from games.views.verify import WORDS
from tests.engine.crooked_matches import schemes
from tests.engine.honest_matches import exported, honest
from tests.engine.mutations import mutated
from tests.engine.verifiers import in_node


def test_every_finding_has_its_sentence() -> None:
    records = [*schemes().values(), {}, {"format": 1, "events": []}]
    records += [mutated(honest(str(seed)), str(seed))[1] for seed in range(12)]
    records.append(exported(honest("0")[:-1]))
    for answer in in_node("verdicts.mjs", records):
        assert answer["verdict"] in WORDS
        for name, *values in answer["findings"]:
            assert str(WORDS[name]).count("%s") == len(values), name
