"""The page that verifies a match has words for all that its script may find."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.fair_dealing.texts import CHECK_TEXTS
from games.services import play
from tests.engine.crooked_matches import deal_schemes
from tests.engine.honest_matches import export_events, honest_match
from tests.engine.mutations import mutate
from tests.engine.verifiers import run_script
from tests.games import tables
from tests.games.finished import create_finished_match
from tests.games.reviewed import RECORDS, read_events
from tests.games.tables import person


def test_every_finding_has_its_sentence() -> None:
    records = [*deal_schemes().values(), {}, {"format": 1, "events": []}]
    records += [mutate(honest_match(str(seed)), str(seed))[1] for seed in range(12)]
    records.append(export_events(honest_match("0")[:-1]))
    for answer in run_script("verdicts.mjs", records):
        assert answer["verdict"] in CHECK_TEXTS
        for name, *values in answer["findings"]:
            assert str(CHECK_TEXTS[name]).count("%s") == len(values), name


@pytest.mark.parametrize(
    ("fields", "claim", "no_claim"),
    [
        ({"nonce_commitments": ("1" * 64, "")}, "players added sealed texts", "proves less"),
        ({}, "the check proves less", "could no longer change"),
        ({"nonces": ("", "")}, "alone decided the deals", "could no longer change"),
    ],
    ids=["sealed texts", "texts without fingerprints", "without a text"],
)
def test_the_page_claims_no_more_than_the_record_proves(
    client: Client, fields: dict[str, Any], claim: str, no_claim: str
) -> None:
    start, *rest = read_events(min((RECORDS / "all_fives").glob("*.json")))
    match = create_finished_match(
        [person("Ann"), person("Bea")], variant="all_fives", events=[replace(start, **fields), *rest]
    )
    page = " ".join(client.get(f"/match/{match.slug}/verify/").content.decode().split())
    assert claim in page
    assert no_claim not in page


def test_the_explanation_leads_to_the_check_in_the_browser_before_the_program(client: Client) -> None:
    address = reverse("fair-dealing")
    assert "/verify/" not in client.get(address).content.decode()
    match = tables.running_table([person("Ann"), person("Bea")])
    tables.play_round(match)
    play.stop_match(match_id=match.pk)
    page = client.get(address).content.decode()
    check = reverse("match-verify", args=[match.slug])
    assert client.get(check).status_code == 200
    assert page.index(f'href="{check}"') < page.index("node verify_deal/verify_deal.mjs")
    assert page.index("Check the deals") < page.index("Node.js")
