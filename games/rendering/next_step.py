"""The way on after a table of a tournament: waiting, a pause, the next table, or the standing."""

from __future__ import annotations

from games.enums import UNFINISHED_STATUSES, NextStep
from games.html import Html, escape
from games.match.table import SideStep, Table
from games.rendering.addresses import page_address
from games.rendering.seats import sides_of
from games.words.lookup import Words


def step_of(table: Table, seat: int | None, words: Words) -> SideStep:
    """Return the step of the side of a seat after the match. Before the table is counted, its players wait."""
    if table.tournament is None or seat is None or table.status in UNFINISHED_STATUSES:
        return SideStep()
    if not table.tournament.steps:
        return SideStep(NextStep.WAITS)
    return table.tournament.steps[sides_of(table, words)[seat]]


def next_step_buttons(table: Table, seat: int | None, words: Words) -> Html:
    """Return what a player does next, with the link to the standing; for spectators only that link."""
    slug = table.tournament.slug if table.tournament is not None else ""
    step = step_of(table, seat, words)
    return Html(f"{_step_html(step, slug, words)}{_standings_link(step, slug, words)}")


def _step_html(step: SideStep, slug: str, words: Words) -> Html:
    if step.step == NextStep.PLAYS:
        address = page_address("match", step.match)
        label = words["to_next_table"]
        return Html(f'<a class="button act next-step" href="{address}" data-follow="{address}">{label}</a>')
    if step.step == NextStep.WAITS:
        return Html(_waiting_line(step, words) + _button("tournament-pause", slug, words["pause"]))
    if step.step == NextStep.PAUSED:
        return Html(_line(words["pausing"]) + _button("tournament-return", slug, words["play_again"]))
    return _line(words["last_table"]) if step.step == NextStep.OUT else Html("")


def _waiting_line(step: SideStep, words: Words) -> Html:
    if not step.at_ms:
        return _line(words["next_table_later"])
    timer = Html(f'<b role="timer" data-deadline="{step.at_ms}">{words["a_moment"]}</b>')
    return Html(f'<p class="countdown">{words.fill("next_table_in", time=timer)}</p>')


def _line(text: Html) -> Html:
    return Html(f'<p role="status">{text}</p>')


def _button(page: str, slug: str, label: Html) -> Html:
    return Html(f'<button class="button" form="act" formaction="{page_address(page, slug)}">{label}</button>')


def _standings_link(step: SideStep, slug: str, words: Words) -> Html:
    is_main = step.step not in (NextStep.PLAYS, NextStep.WAITS)
    classes = escape("button act" if is_main else "button")
    return Html(f'<a class="{classes}" href="{page_address("tournament", slug)}">{words["to_standings"]}</a>')
