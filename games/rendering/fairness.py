"""What the site has committed to, so that everybody can check later that no deal was chosen."""

from __future__ import annotations

from functools import lru_cache

from django.urls import reverse

from games.engine.view import View
from games.table import Table
from games.wording import Words


def fairness(table: Table, view: View | None, words: Words) -> str:
    """Return the commitments of the match and of the round, and after the match where to find the proof."""
    over = view is not None and view.match_over is not None
    return _fairness(table.commitment, "" if view is None else view.commitment, table.slug if over else "", words)


@lru_cache(maxsize=4096)
def _fairness(commitment: str, round_commitment: str, proven: str, words: Words) -> str:
    facts = ((words["commitment"], commitment), (words["round_commitment"], round_commitment))
    rows = "".join(f"<dt>{name}</dt><dd><code>{value}</code></dd>" for name, value in facts if value)
    if proven:
        link = f'<a href="{reverse("match-record", args=[proven])}">{words["record"]}</a>'
        rows += f"<dt>{words['proof']}</dt><dd>{link}</dd>"
    return f'<dl id="fairness" class="fairness">{rows}</dl>'
