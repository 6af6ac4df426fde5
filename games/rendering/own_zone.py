"""The viewer's own zone while no round is played: before the match, between rounds, after it, or watching.

Every button belongs to a form of the page (``act`` posts, ``ready`` also goes over the socket).
"""

from __future__ import annotations

from zlib import crc32

from games.engine.view import View
from games.enums import Due, Occupant, RematchAnswer, SeatState, Status
from games.html import EMPTY_HTML, Html, escape
from games.match.table import Person, Table
from games.rendering.addresses import daily_address, lobby_address, page_address
from games.rendering.clock import countdown
from games.rendering.next_step import next_step_buttons
from games.rendering.seats import name_of
from games.words.length import length_of
from games.words.levels import level_words
from games.words.lookup import Words

CLOSING_TAG = Html("</section>")


def task_line(text: Html) -> Html:
    """Return the task of the viewer. Every text is an element of its own, so none counts as one that has moved."""
    return Html(f'<p id="task" role="status"><span id="task-{crc32(text.encode()):08x}">{text}</span></p>')


def waiting_zone(table: Table, seat: int | None, words: Words) -> Html:
    """Return what the viewer can do before the match starts."""
    missing = sum(person.kind == Occupant.EMPTY for person in table.people)
    if seat is None and table.has_delay and table.version == 0 and table.status == Status.RUNNING:
        body = _delayed_start_note(table, words)
    elif table.status != Status.OPEN or table.is_starting:
        body = task_line(words["starting"])
    elif seat is None and missing:
        body = Html(f'<button id="sit-down" class="button act" form="sit">{words["sit_down"]}</button>')
    elif seat is None:
        body = task_line(words["watching"])
    elif table.timer.due_kind == Due.FILL:
        body = _quick_game(table, words)
    elif seat == table.host_seat:
        body = _host_controls(table, missing, words)
    else:
        body = Html(
            _waiting_note(table, missing, words) + _action_button(table, "stand", words["stand"], is_main=True)
        )
    return _zone(Html(body + _no_points_note(table, words) + _nonce_data(table, seat)), words, seat)


def _no_points_note(table: Table, words: Words) -> Html:
    """Return a note if a rated match that has not begun will bring some people no rating points."""
    if not table.no_points or table.status != Status.OPEN:
        return EMPTY_HTML
    return Html(f'<p class="no-points small">{words[f"points_{table.no_points}"]}</p>')


def _delayed_start_note(table: Table, words: Words) -> Html:
    """Return when a match with a delay begins for spectators: at a time, or when its first round is over."""
    if table.timer.deadline_ms is None:
        return task_line(words["begins_after_round"])
    return Html(f'<p class="countdown">{words.fill("begins_in", time=_timer(table, words))}</p>')


def _timer(table: Table, words: Words) -> Html:
    """Return the time until the deadline, which a script counts down."""
    deadline = table.timer.deadline_ms or 0
    return Html(f'<b role="timer" data-deadline="{deadline}">{words["a_moment"]}</b>')


def _quick_game(table: Table, words: Words) -> Html:
    """Return how long the players of a quick game still wait for others, and the buttons to start at once or leave."""
    bots_in = Html(f'<p class="countdown">{words.fill("bots_in", time=_timer(table, words))}</p>')
    return Html(task_line(words["looking"]) + bots_in + _bot_seat_buttons(table, words))


def _host_controls(table: Table, missing: int, words: Words) -> Html:
    if not missing:
        start = _action_button(table, "start", words["start"], is_main=True)
        return Html(task_line(words["all_here"]) + start + _action_button(table, "stand", words["stand"]))
    return Html(task_line(words.count("missing", missing)) + _bot_seat_buttons(table, words))


def _bot_seat_buttons(table: Table, words: Words) -> Html:
    """Return buttons that start with bots of the usual level on the free seats, leave the table, or choose a level."""
    fill = _action_button(table, "fill", words["fill"], is_main=True)
    buttons = [
        Html(
            f'<button class="button button-small" form="act" formaction="{page_address("match-fill", table.slug)}" '
            f'name="level" value="{escape(level)}">{level_name.name}</button>'
        )
        for level, level_name in level_words(words.variant, words.language).items()
    ]
    title = Html(f'<p id="levels-title" class="small">{words["choose_level"]}</p>')
    levels = Html(f'<div class="levels" role="group" aria-labelledby="levels-title">{title}{"".join(buttons)}</div>')
    return Html(fill + _action_button(table, "stand", words["stand"]) + levels)


def _waiting_note(table: Table, missing: int, words: Words) -> Html:
    host = table.host_seat
    if missing:
        return task_line(words.count("missing", missing))
    return task_line(words["all_here"] if host is None else words.fill("host_starts", name=name_of(table, host)))


def between_rounds_zone(table: Table, view: View, words: Words) -> Html:
    """Return the button to be ready for the next round, or a note, with the seconds until the round starts."""
    timer = _countdown(table)
    if view.viewer is None:
        body = Html(task_line(words["next_round"]) + timer)
    elif table.people[view.viewer].ready:
        body = Html(task_line(words["ready_wait"]) + timer)
    else:
        button = Html(f'<button id="is-ready" class="button act" form="ready">{words["ready"]}{timer}</button>')
        body = Html(task_line(words["next_round"]) + button)
    return _zone(body, words, view.viewer)


def _countdown(table: Table) -> Html:
    """Return the time until the next round, "" if none is due."""
    if table.timer.due_kind != Due.ROUND or table.timer.deadline_ms is None:
        return EMPTY_HTML
    return countdown(table.timer.deadline_ms)


def bot_replacement_zone(table: Table, view: View, seat: int, words: Words, tiles: Html) -> Html:
    """Return the button that takes a seat back from a bot, above the bot's ``tiles``."""
    why_link = Html(f' <a href="{page_address("match-absences", table.slug)}">{words["why"]}</a>')
    if table.people[seat].state == SeatState.FORFEITED:
        return _zone(task_line(Html(words["about_forfeited_you"] + why_link)), words, seat, tiles)
    note = words["replaced" if view.round.over is None else "replaced_pause"]
    take_back_label = Html(words["take_back"] + _countdown(table))
    button = Html(f'<button id="take-back" class="button act" form="ready">{take_back_label}</button>')
    return _zone(Html(task_line(Html(note + why_link)) + button), words, seat, tiles)


def finished_zone(table: Table, view: View, words: Words) -> Html:
    """Return the ways on from a match that is over, and below them those back into it."""
    if table.tournament is not None:
        ways_on = next_step_buttons(table, view.viewer, words)
    elif table.daily_date:
        ways_on = _next_board_buttons(table, view.viewer, words)
    else:
        lobby = Html(f'<a class="button" href="{lobby_address(words.language)}">{words["to_lobby"]}</a>')
        ways_on = Html(_next_match_buttons(table, view, words) + lobby)
    # A script opens the share sheet of the device instead of following this link.
    share = Html(f'<a id="share-match" class="button" href="#share-address">{words["share"]}</a>')
    share = EMPTY_HTML if table.is_open_board else share
    links = [_link(page_address("match-scores", table.slug), words["score_table"])] if view.rounds else []
    if view.viewer is not None and sum(person.user_id is not None for person in table.people) > 1:
        invite = page_address("match-review-invite", table.slug)
        label = words["review_together"]
        links.append(Html(f'<button id="review-together" form="act" formaction="{invite}">{label}</button>'))
    match_end = view.match_over
    if match_end is not None and match_end.reason == "timeout" and match_end.seat == view.viewer:
        links.append(Html(f" {_link(page_address('match-absences', table.slug), words['why'])}"))
    if view.viewer is not None and table.people[view.viewer].guest:
        links.append(_link(page_address("guest-upgrade"), words["keep_match"]))
    body = Html(f'{ways_on}{share}<p class="ways-back">{"".join(links)}</p>')
    return _zone(body, words, view.viewer)


def watching_zone(table: Table, words: Words) -> Html:
    """Return the zone of a spectator."""
    return _zone(task_line(words["watching_bots" if table.is_exhibition else "watching"]), words, None)


def opening_tag(label: Html, seat: int | None, *, is_own_turn: bool = False, lag_ms: int = 0) -> Html:
    """Return the opening tag of the viewer's own zone.

    It names the seat, so that a page notices a change of viewer (js/viewer.js), and the lag of its line (js/clock.js).
    """
    viewer = EMPTY_HTML if seat is None else Html(f' data-viewer="{seat}"')
    if lag_ms:
        viewer = Html(f'{viewer} data-lag="{lag_ms}"')
    classes = Html("hand mine" if is_own_turn else "hand")
    return Html(f'<section id="hand" class="{classes}"{viewer} aria-label="{label}" tabindex="-1">')


def _zone(body: Html, words: Words, seat: int | None, tiles: Html = EMPTY_HTML) -> Html:
    return Html(f'{opening_tag(words["your_seat"], seat)}<div class="task">{body}</div>{tiles}{CLOSING_TAG}')


def _next_match_buttons(table: Table, view: View, words: Words) -> Html:
    """Return buttons to play the same game again, with the same people or with others."""
    if view.viewer is None or table.status == Status.VOID:
        if not table.rematch:
            return EMPTY_HTML
        return Html(f'<a class="button" href="{page_address("match", table.rematch)}">{words["to_rematch"]}</a>')
    rematch = EMPTY_HTML
    if table.status == Status.FINISHED:
        rematch = (_rematch_link if table.rematch else _rematch_offer)(table, table.people[view.viewer], words)
    length = escape(length_of(dict(table.agreed.options)))
    return Html(
        f'{rematch}<input type="hidden" form="act" name="length" value="{length}">'
        f'<button id="new-opponents" class="button" form="act" formaction="{page_address("quick-play")}" '
        f'name="variant" value="{escape(table.variant)}">{words["new_opponents"]}</button>'
    )


def _next_board_buttons(table: Table, viewer: int | None, words: Words) -> Html:
    """Return the button to play the next daily board, and the way to the boards of today or the results of a day."""
    if not table.is_open_board:
        results = daily_address(words.language, table.variant, table.daily_date)
        return Html(f'<a class="button act" href="{results}">{words["results_of_day"]}</a>')
    classes, button = Html("button act"), EMPTY_HTML
    if viewer is not None and table.has_next_board:
        posts_to = page_address("daily-play", table.variant)
        button = Html(f'<button id="next-board" class="{classes}" form="act" formaction="{posts_to}">')
        button, classes = Html(f"{button}{words['next_board']}</button>"), Html("button")
    boards = daily_address(words.language, table.variant)
    return Html(f'{button}<a class="{classes}" href="{boards}">{words["todays_boards"]}</a>')


def _rematch_link(table: Table, person: Person, words: Words) -> Html:
    """Return the link to the table of the rematch; the page of a player who accepted follows it (js/rematch.js)."""
    if person.rematch != RematchAnswer.ACCEPTED:
        return _answer_button("yes", words["join_rematch"], is_main=True)
    address = page_address("match", table.rematch)
    return Html(
        f'<a id="rematch" class="button act" href="{address}" data-follow="{address}">{words["to_rematch"]}</a>'
    )


def _rematch_offer(table: Table, person: Person, words: Words) -> Html:
    """Return the state of the rematch's offer for a player, with the buttons to answer it."""
    offering = table.rematch_offered_by
    if offering is None:
        answers = {other.seat: other.rematch for other in table.people if other.seat != person.seat}
        declined = [seat for seat, answer in answers.items() if answer == RematchAnswer.DECLINED]
        if not declined:
            return _answer_button("yes", words["rematch"], is_main=True)
        offer = task_line(words.fill("declined", name=name_of(table, declined[0])))
    elif not person.rematch:
        status = task_line(words.fill("wants_rematch", name=name_of(table, offering)))
        offer = Html(
            status + _answer_button("yes", words["accept"], is_main=True) + _answer_button("no", words["decline"])
        )
    else:
        players = [other for other in table.people if other.user_id is not None and not other.rematch]
        names = words.all_of([name_of(table, other.seat) for other in players])
        status = task_line(words.fill("offered" if person.seat == offering else "accepted", names=names))
        offer = Html(status + _answer_button("no", words["take_offer_back"]))
    return Html(f'<div class="offer">{offer}</div>')


def _answer_button(answer: str, text: Html, *, is_main: bool = False) -> Html:
    name, classes = (Html("rematch"), Html("button act")) if is_main else (Html("no-rematch"), Html("button"))
    return Html(
        f'<button id="{name}" class="{classes}" form="answer" name="answer" value="{escape(answer)}">{text}</button>'
    )


def _link(address: Html, text: Html) -> Html:
    return Html(f'<a href="{address}">{text}</a>')


def _nonce_data(table: Table, seat: int | None) -> Html:
    """Return the data that a player's page needs to commit to a nonce and to open it in time."""
    if seat is None:
        return EMPTY_HTML
    stage = escape(table.timer.due_kind if table.is_starting else "")
    commitments = escape(" ".join(person.nonce_commitment or "-" for person in table.people))
    own = escape(table.people[seat].nonce_commitment)
    return Html(
        f'<data id="nonce" hidden value="{own}" data-stage="{stage}" data-match="{escape(table.slug)}" '
        f'data-commitment="{escape(table.commitment)}" data-given="{commitments}"></data>'
    )


def _action_button(table: Table, name: str, text: Html, *, is_main: bool = False) -> Html:
    """Return a button that posts an action at the table."""
    classes = Html("button act" if is_main else "button")
    posts_to = page_address(f"match-{name}", table.slug)
    return Html(f'<button id="{escape(name)}" class="{classes}" form="act" formaction="{posts_to}">{text}</button>')
