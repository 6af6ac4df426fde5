"""Renders the commitments, keys and nonces with which everybody can check the deals."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.engine.view import View
from games.enums import Occupant, Status
from games.html import Html, escape
from games.match.table import Person, Table
from games.rendering.addresses import page_address
from games.words.lookup import Words
from infrastructure.bidi import isolate

PUBLISHED_VALUES = ("commitment", "round_commitment", "round_key", "secret")  # in the order of their publication


class NonceStatus(NamedTuple):
    """A seat's nonce: its state as the key of a phrase, the player's name, the commitment, and the nonce."""

    phrase_key: str
    name: str
    commitment: str
    nonce: str


def fairness_list(table: Table, view: View | None, words: Words) -> Html:
    """Return the commitments, the key of a finished round, after the match the secret, and a link to check them."""
    statuses = tuple(_nonce_status(table, person) for person in table.people if person.kind != Occupant.EMPTY)
    if view is None:
        return _fairness_list((table.commitment,), statuses, "", words)
    slug = table.slug if view.rounds or view.match_over is not None else ""
    published_values = table.commitment, view.round.commitment, view.round.key, view.secret
    return _fairness_list(published_values, statuses, slug, words)


@lru_cache(maxsize=4096)
def _fairness_list(
    published_values: tuple[str, ...], statuses: tuple[NonceStatus, ...], slug: str, words: Words
) -> Html:
    """Render the values. ``slug`` is that of a match whose deals can be checked, or ""."""
    pairs = zip(PUBLISHED_VALUES, published_values, strict=False)
    rows = [Html(f"<dt>{words[key]}</dt><dd><code>{escape(value)}</code></dd>") for key, value in pairs if value]
    items = Html("".join([f"<li>{_nonce_status_text(status, words)}</li>" for status in statuses]))
    rows.insert(1, Html(f'<dt>{words["parts"]}</dt><dd><ul role="list">{items}</ul></dd>'))
    if slug:
        link = Html(f'<a href="{page_address("match-verify", slug)}">{words["verify"]}</a>')
        rows.append(Html(f"<dt>{words['proof']}</dt><dd>{link}</dd>"))
    return Html(f'<dl id="fairness">{"".join(rows)}</dl>')


def _nonce_status(table: Table, person: Person) -> NonceStatus:
    if person.nonce:
        phrase_key = "part_opened" if person.nonce_commitment else "part_unsealed"
    elif person.nonce_commitment:
        phrase_key = "part_sealed" if table.status == Status.OPEN else "part_unopened"
    elif person.kind == Occupant.BOT and person.user_id is None:
        phrase_key = "part_of_bot"
    else:
        phrase_key = "part_missing" if table.status == Status.OPEN else "part_none"
    return NonceStatus(phrase_key, person.name, person.nonce_commitment, person.nonce)


def _nonce_status_text(status: NonceStatus, words: Words) -> Html:
    return words.fill(
        status.phrase_key,
        name=escape(isolate(status.name)),
        sealed=Html(f"<code>{escape(status.commitment)}</code>"),
        text=Html(f'<code dir="auto">{escape(status.nonce)}</code>'),
    )
