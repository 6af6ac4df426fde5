"""Popovers that explain the numbers and marks at the seats. A tap on a number or mark opens its popover."""

from __future__ import annotations

from functools import cache

from games.html import Html, escape
from games.rendering.clock import SECOND_MS
from games.words.levels import level_words
from games.words.lookup import Words

EXPLAINED_MARKS = ("plays_for", "forfeited", "removed", "late", "guest", "rated", "winner", "loser")


@cache
def explanation_popovers(words: Words, move_ms: int) -> Html:
    """Return all popovers. ``move_ms`` is the free time of a move, 0 without a clock."""
    scores = [(form.key, form.name) for form, _shows_sign in words.score_forms.values()]
    numbers = [
        _number_popover(key, name, words[f"about_{key}"]) for key, name in [(escape("zero"), words["score"]), *scores]
    ]
    if move_ms:
        about = words.fill("about_spare", move=move_ms // SECOND_MS)
        numbers.append(_number_popover(escape("spare"), words["spare_time"], about))
    marks = [_popover(escape(key), Html(f"<b>{words[key]}</b>"), words[f"about_{key}"]) for key in EXPLAINED_MARKS]
    levels = level_words(words.variant, words.language).items()
    bots = [_popover(escape(level), Html(f"<b>{text.name}</b>"), text.about) for level, text in levels]
    return Html("".join([*numbers, *marks, *bots]))


def _number_popover(key: Html, name: Html, text: Html) -> Html:
    """Return a popover whose heading a script completes with the number that was tapped."""
    return _popover(key, Html(f"<b>{name}<span></span></b>"), text)


def _popover(key: Html, heading: Html, text: Html) -> Html:
    return Html(f'<div id="about-{key}" class="about" popover>{heading}<p>{text}</p></div>')
