"""The commitments and what has been opened, by the site and by each seat, so that anybody can check the deals."""

from __future__ import annotations

from functools import lru_cache

from games.engine.view import View
from games.enums import Occupant, Status
from games.html import Html, escape
from games.match.table import Person, Table
from games.rendering.addresses import address
from games.words.lookup import Words
from infrastructure.bidi import isolate

FACTS = ("commitment", "round_commitment", "round_key", "secret")
"""In the order in which they become known."""
Part = tuple[str, str, str, str]
"""The state of a seat's part of the shuffle (a phrase), the name, the commitment of its nonce, the nonce."""


def fairness(table: Table, view: View | None, words: Words) -> Html:
    """Return the commitments, the key of a finished round, after the match the secret, and a link to check them."""
    parts = tuple(_part(table, person) for person in table.people if person.kind != Occupant.EMPTY)
    if view is None:
        return _fairness((table.commitment,), parts, "", words)
    proven = table.slug if view.rounds or view.match_over is not None else ""
    return _fairness((table.commitment, view.round.commitment, view.round.key, view.secret), parts, proven, words)


@lru_cache(maxsize=4096)
def _fairness(facts: tuple[str, ...], parts: tuple[Part, ...], proven: str, words: Words) -> Html:
    named = zip(FACTS, facts, strict=False)
    rows = [Html(f"<dt>{words[name]}</dt><dd><code>{escape(value)}</code></dd>") for name, value in named if value]
    said = Html("".join([f"<li>{_said(part, words)}</li>" for part in parts]))
    rows.insert(1, Html(f'<dt>{words["parts"]}</dt><dd><ul role="list">{said}</ul></dd>'))
    if proven:
        link = Html(f'<a href="{address("match-verify", proven)}">{words["verify"]}</a>')
        rows.append(Html(f"<dt>{words['proof']}</dt><dd>{link}</dd>"))
    return Html(f'<dl id="fairness">{"".join(rows)}</dl>')


def _part(table: Table, person: Person) -> Part:
    """Return the state of this person's part of the shuffle."""
    if person.nonce:
        phrase = "part_opened" if person.nonce_commitment else "part_unsealed"
    elif person.nonce_commitment:
        phrase = "part_sealed" if table.status == Status.OPEN else "part_unopened"
    elif person.kind == Occupant.BOT and person.user_id is None:
        phrase = "part_of_bot"
    else:
        phrase = "part_missing" if table.status == Status.OPEN else "part_none"
    return phrase, person.name, person.nonce_commitment, person.nonce


def _said(part: Part, words: Words) -> Html:
    phrase, name, sealed, text = part
    return words.fill(
        phrase,
        name=escape(isolate(name)),
        sealed=Html(f"<code>{escape(sealed)}</code>"),
        text=Html(f'<code dir="auto">{escape(text)}</code>'),
    )
