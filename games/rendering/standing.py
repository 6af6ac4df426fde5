"""Scores next to names, and bars that show how close they are to the end of the match."""

from __future__ import annotations

from games.engine.events import Standing
from games.html import Html, escape
from games.words.lookup import Words

NOTHING, NEAR_CLASS, PLAIN_STYLE = Html(""), Html(" near"), Html("zero")


def score_mark(score: str, words: Words) -> Html:
    """Return a score in the form that its game gives it."""
    style, text = _score_style_and_text(score, words)
    return Html(f'<b class="score{_style_class(style)}">{text}</b>')


def explained_score(score: str, progress: tuple[int, int] | None, words: Words) -> Html:
    """Return a score as a button that opens its explanation. It is red close to the score that ends the match."""
    style, text = _score_style_and_text(score, words)
    near = NEAR_CLASS if _is_near(progress) else NOTHING
    return Html(f'<button class="score{_style_class(style)}{near}" popovertarget="about-{style}">{text}</button>')


def _style_class(style: Html) -> Html:
    """Return the class of a form of scores, "" for the plain one."""
    return NOTHING if style == PLAIN_STYLE else Html(f" score-{style}")


def _is_near(progress: tuple[int, int] | None) -> bool:
    """Return True from four fifths of the score that ends the match."""
    return progress is not None and progress[0] >= progress[1] * 4 // 5


def _score_style_and_text(score: str, words: Words) -> tuple[Html, Html]:
    """Return the form of a score and its text."""
    if score[:1] not in words.score_forms:
        return PLAIN_STYLE, escape(score.replace("-", "−"))
    (style, name), shows_sign = words.score_forms[score[:1]]
    return style, Html(f"<i>{name} </i>{escape(score if shows_sign else score[1:])}")


def standing_score(standing: Standing | None, words: Words) -> Html:
    """Return the score of a standing, "" before the first deal."""
    return Html("" if standing is None else score_mark(words.rules.standing_text(standing), words))


def progress_of(standing: Standing, target: int | None) -> tuple[int, int] | None:
    """Return the points that count towards the target and the target. Points that are only remembered do not count."""
    return None if target is None else (min(max(standing.points, 0), target) if standing.opened else 0, target)


def progress_bar(seat: int, points: int, target: int) -> Html:
    """Return a progress bar, hidden from screen readers because the score and the aim are text elsewhere."""
    return Html(f'<progress id="way{seat}" value="{points}" max="{target}" inert></progress>')
