"""The levels of the bots: the mark at a seat, what it means, and the choice when seats are filled."""

from __future__ import annotations

from games.enums import BotLevel
from games.html import Html, escape
from games.match.table import Table
from games.rendering.addresses import address
from games.words.levels import above_random, level_words
from games.words.lookup import Words


def bot_mark(level: str, words: Words) -> Html:
    """Return the mark of a bot."""
    mark = level_words(words.variant, words.language)[level].mark
    return Html(f'<button class="mark" popovertarget="about-{escape(level)}">{mark}</button>')


def about_bots(words: Words) -> Html:
    """Return a popover for each level."""
    known = level_words(words.variant, words.language)
    return Html(
        "".join(
            f'<div id="about-{escape(level)}" class="about" popover><b>{said.name}</b><p>{said.about}</p></div>'
            for level, said in known.items()
        )
    )


def choice_of_level(table: Table, words: Words) -> Html:
    """Return a button for each level that fills the free seats with such bots."""
    posts_to = address("match-fill", table.slug)
    known = level_words(words.variant, words.language)
    buttons = [
        Html(
            f'<button class="button button-small" form="act" formaction="{posts_to}" name="level" '
            f'value="{escape(level)}">{known[level].name}{_above(words.variant, level)}</button>'
        )
        for level in BotLevel
    ]
    title = Html(f'<p id="levels-title" class="small">{words["choose_level"]}</p>')
    return Html(f'<div class="levels" role="group" aria-labelledby="levels-title">{title}{"".join(buttons)}</div>')


def _above(variant: str, level: str) -> Html:
    points = above_random(variant, level)
    return Html(f" <small>+{points}</small>") if points else Html("")
