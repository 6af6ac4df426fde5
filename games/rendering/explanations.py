"""What the numbers and marks at the seats mean: a sentence each, on the page once, at the number when it is tapped."""

from __future__ import annotations

from functools import cache

from games.html import Html, escape
from games.rendering.bots import about_bots
from games.words.lookup import Words

MARKS = ("plays_for", "forfeited", "removed", "late", "guest", "winner", "loser")
SECOND = 1000


@cache
def explanations(words: Words, move_ms: int) -> Html:
    """Return a popover for each. ``move_ms`` is the free time of a move, 0 without a clock."""
    scores = [(form.key, form.name) for form, _shows_sign in words.score_forms.values()]
    numbers = [_number(key, name, words[f"about_{key}"]) for key, name in [(escape("zero"), words["score"]), *scores]]
    if move_ms:
        about = words.say("about_spare", move=move_ms // SECOND)
        numbers.append(_number(escape("spare"), words["spare_time"], about))
    marks = [_popover(escape(key), Html(f"<b>{words[key]}</b>"), words[f"about_{key}"]) for key in MARKS]
    return Html("".join([*numbers, *marks, about_bots(words)]))


def _number(key: Html, name: Html, text: Html) -> Html:
    """Return a popover to whose heading a script adds the number that was tapped."""
    return _popover(key, Html(f"<b>{name}<span></span></b>"), text)


def _popover(key: Html, heading: Html, text: Html) -> Html:
    return Html(f'<div id="about-{key}" class="about" popover>{heading}<p>{text}</p></div>')
