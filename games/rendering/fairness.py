"""What the site has committed to and what it has revealed, so that everybody can check that no deal was chosen."""

from __future__ import annotations

from functools import lru_cache

from games.engine.view import View
from games.links import path_to
from games.table import Table
from games.wording import Words

FACTS = ("commitment", "round_commitment", "round_key", "secret")
"""In the order in which they become known."""


def fairness(table: Table, view: View | None, words: Words) -> str:
    """Return the commitments, the key of a round that is over, and after the match the secret and the proof."""
    if view is None:
        return _fairness((table.commitment,), "", words)
    proven = table.slug if view.match_over is not None else ""
    return _fairness((table.commitment, view.commitment, view.key, view.secret), proven, words)


@lru_cache(maxsize=4096)
def _fairness(facts: tuple[str, ...], proven: str, words: Words) -> str:
    named = zip(FACTS, facts, strict=False)
    rows = "".join(f"<dt>{words[name]}</dt><dd><code>{value}</code></dd>" for name, value in named if value)
    if proven:
        link = f'<a href="{path_to("match-verify", proven)}">{words["verify"]}</a>'
        rows += f"<dt>{words['proof']}</dt><dd>{link}</dd>"
    return f'<dl id="fairness" class="fairness">{rows}</dl>'
