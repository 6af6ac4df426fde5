"""Scores beside names: what they are, and how far they are on the way to the end of the match."""

from __future__ import annotations

from games.engine.events import Standing
from games.html import Html, escape
from games.words.lookup import Words

NOTHING, NEAR, PLAIN = Html(""), Html(" near"), Html("zero")


def score_mark(score: str, words: Words, *, near: bool = False) -> Html:
    """Return a score beside a name, in the form that its game gives it; ``near`` the score that ends the match."""
    style, said = _score(score, words)
    return Html(f'<b class="score{_form(style)}{NEAR if near else NOTHING}">{said}</b>')


def explained_score(score: str, way: tuple[int, int] | None, words: Words) -> Html:
    """Return a score as a button that says what it means."""
    style, said = _score(score, words)
    near = NEAR if is_near(way) else NOTHING
    return Html(f'<button class="score{_form(style)}{near}" popovertarget="about-{style}">{said}</button>')


def _form(style: Html) -> Html:
    """Return the class of a form of scores: most are plain."""
    return NOTHING if style == PLAIN else Html(f" score-{style}")


def is_near(way: tuple[int, int] | None) -> bool:
    """Return whether four fifths of the way to the score that ends the match are gone."""
    return way is not None and way[0] >= way[1] * 4 // 5


def _score(score: str, words: Words) -> tuple[Html, Html]:
    """Return the form of a score, and what it says."""
    if score[:1] not in words.score_forms:
        return PLAIN, escape(score.replace("-", "−"))
    (style, name), shows_sign = words.score_forms[score[:1]]
    return style, Html(f"<i>{name} </i>{escape(score if shows_sign else score[1:])}")


def standing_mark(standing: Standing | None, words: Words) -> Html:
    """Return the score of a standing, "" before the first deal."""
    return Html("" if standing is None else score_mark(words.rules.standing_text(standing), words))


def way_of(standing: Standing, target: int | None) -> tuple[int, int] | None:
    """Return the points on the way to the target, None without one. Points that are only remembered do not count."""
    return None if target is None else (min(max(standing.points, 0), target) if standing.opened else 0, target)


def bar(seat: int, points: int, target: int) -> Html:
    """Return a bar for the eyes alone: the score and the aim are there as text."""
    return Html(f'<progress id="way{seat}" value="{points}" max="{target}" inert></progress>')
