"""Renders the commitments, keys and nonces with which everybody can check the deals."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.engine.view import View
from games.enums import Occupant, Status
from games.html import Html, escape
from games.match.table import Person, Table
from games.rendering.addresses import address
from games.words.lookup import Words
from infrastructure.bidi import isolate

VALUES = ("commitment", "round_commitment", "round_key", "secret")  # in the order of their publication


class Part(NamedTuple):
    """A seat's part of the shuffle: its state as a phrase, the player, the commitment of the nonce, and the nonce."""

    phrase: str
    name: str
    commitment: str
    nonce: str


def fairness(table: Table, view: View | None, words: Words) -> Html:
    """Return the commitments, the key of a finished round, after the match the secret, and a link to check them."""
    parts = tuple(_part(table, person) for person in table.people if person.kind != Occupant.EMPTY)
    if view is None:
        return _fairness((table.commitment,), parts, "", words)
    slug = table.slug if view.rounds or view.match_over is not None else ""
    return _fairness((table.commitment, view.round.commitment, view.round.key, view.secret), parts, slug, words)


@lru_cache(maxsize=4096)
def _fairness(values: tuple[str, ...], parts: tuple[Part, ...], slug: str, words: Words) -> Html:
    """Render the values. ``slug`` is that of a match whose deals can be checked, or ""."""
    named = zip(VALUES, values, strict=False)
    rows = [Html(f"<dt>{words[name]}</dt><dd><code>{escape(value)}</code></dd>") for name, value in named if value]
    items = Html("".join([f"<li>{_part_text(part, words)}</li>" for part in parts]))
    rows.insert(1, Html(f'<dt>{words["parts"]}</dt><dd><ul role="list">{items}</ul></dd>'))
    if slug:
        link = Html(f'<a href="{address("match-verify", slug)}">{words["verify"]}</a>')
        rows.append(Html(f"<dt>{words['proof']}</dt><dd>{link}</dd>"))
    return Html(f'<dl id="fairness">{"".join(rows)}</dl>')


def _part(table: Table, person: Person) -> Part:
    if person.nonce:
        phrase = "part_opened" if person.nonce_commitment else "part_unsealed"
    elif person.nonce_commitment:
        phrase = "part_sealed" if table.status == Status.OPEN else "part_unopened"
    elif person.kind == Occupant.BOT and person.user_id is None:
        phrase = "part_of_bot"
    else:
        phrase = "part_missing" if table.status == Status.OPEN else "part_none"
    return Part(phrase, person.name, person.nonce_commitment, person.nonce)


def _part_text(part: Part, words: Words) -> Html:
    return words.fill(
        part.phrase,
        name=escape(isolate(part.name)),
        sealed=Html(f"<code>{escape(part.commitment)}</code>"),
        text=Html(f'<code dir="auto">{escape(part.nonce)}</code>'),
    )
