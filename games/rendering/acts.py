"""The viewer's own zone while no round is played: before the match, between rounds, after it, or watching.

Every button belongs to a form of the page (``act`` posts, ``ready`` also goes over the socket).
"""

from __future__ import annotations

from games.engine.view import View
from games.enums import Due, Occupant, RematchAnswer, SeatState, Status, Visibility
from games.html import Html, escape
from games.match.table import Person, Table
from games.rendering.addresses import address
from games.rendering.bots import choice_of_level
from games.rendering.seats import name_of
from games.words.length import length_of
from games.words.lookup import Words

BUTTON, PLAIN = Html(' class="button"'), Html("")
CLOSING = Html("</section>")


def waiting(table: Table, seat: int | None, words: Words) -> Html:
    """Return what the viewer can do before the match starts."""
    missing = sum(person.kind == Occupant.EMPTY for person in table.people)
    if seat is None and table.delayed and table.version == 0 and table.status == Status.RUNNING:
        return _zone(_begins_later(table, words), words, seat)
    if table.status != Status.OPEN or table.is_starting:
        return _zone(Html(_said(words["starting"]) + _nonce(table, seat)), words, seat)
    if seat is None:
        return _zone(_invitation(words) if missing else _said(words["watching"]), words, seat)
    if table.timer.due_kind == Due.FILL:
        body = _looking(table, words)
    elif seat == table.host_seat:
        body = _hosting(table, missing, words)
    else:
        body = Html(_said(_awaited(table, missing, words)) + _acts(table, ("stand",), words))
    return _zone(Html(body + _nonce(table, seat)), words, seat)


def _begins_later(table: Table, words: Words) -> Html:
    """Return when a match with a delay begins for spectators: in so long, or when its first round is over."""
    if table.timer.deadline_ms is None:
        return _said(words["begins_after_round"])
    return Html(f'<p class="countdown">{words.say("begins_in", time=_counted(table.timer.deadline_ms, words))}</p>')


def _counted(deadline: int, words: Words) -> Html:
    """Return a time that a script counts down."""
    return Html(f'<b role="timer" data-deadline="{deadline}">{words["a_moment"]}</b>')


def _invitation(words: Words) -> Html:
    """Return the button of a visitor for whom there is a seat."""
    return Html(f'<button id="sit-down" class="button act" form="sit">{words["sit_down"]}</button>')


def _looking(table: Table, words: Words) -> Html:
    """Return how long the players of a quick game still wait for others, and how to wait no longer."""
    left = _counted(table.timer.deadline_ms or 0, words)
    said = Html(_said(words["looking"]) + Html(f'<p class="countdown">{words.say("bots_in", time=left)}</p>'))
    return Html(said + _fill(table, words["fill_now"], words))


def _hosting(table: Table, missing: int, words: Words) -> Html:
    if not missing:
        return Html(_said(words["all_here"]) + _acts(table, ("start", "stand"), words))
    starts = table.agreed.visibility == Visibility.LINK
    return Html(_said(words.count("missing", missing)) + _fill(table, words["fill_now" if starts else "fill"], words))


def _fill(table: Table, text: Html, words: Words) -> Html:
    """Return the button for bots of the usual level, the way out, and the choice of another level."""
    acts = Html(_act(table, "fill", text, first=True) + _act(table, "stand", words["stand"]))
    return Html(acts + choice_of_level(table, words))


def _awaited(table: Table, missing: int, words: Words) -> Html:
    host = table.host_seat
    if missing:
        return words.count("missing", missing)
    return words["all_here"] if host is None else words.say("host_starts", name=name_of(table, host))


def between_rounds(table: Table, view: View, words: Words) -> Html:
    """Return the button, or the note, about being ready for the next round, with the seconds until it starts."""
    left = _left(table)
    if view.viewer is None:
        return _zone(Html(_said(words["next_round"]) + left), words, view.viewer)
    if table.people[view.viewer].ready:
        return _zone(Html(_said(words["ready_wait"]) + left), words, view.viewer)
    button = Html(f'<button id="is-ready" class="button act" form="ready">{words["ready"]}{left}</button>')
    return _zone(Html(_said(words["next_round"]) + button), words, view.viewer)


def _left(table: Table) -> Html:
    """Return the time until the next round, for the eyes alone: heard every second it would be in the way."""
    if table.timer.due_kind != Due.ROUND or table.timer.deadline_ms is None:
        return Html("")
    return Html(f'<span class="left" data-deadline="{table.timer.deadline_ms}" aria-hidden="true"></span>')


def replaced(table: Table, view: View, seat: int, words: Words, tiles: Html) -> Html:
    """Return how to take back a seat that a bot keeps, above the bot's ``tiles``."""
    if table.people[seat].state == SeatState.FORFEITED:
        return _zone(_said(Html(words["about_forfeited_you"] + _why(table, words))), words, seat, tiles)
    said: Html = words["replaced" if view.round.over is None else "replaced_pause"]
    back = Html(words["take_back"] + _left(table))
    button = Html(f'<button id="take-back" class="button act" form="ready">{back}</button>')
    return _zone(Html(_said(Html(said + _why(table, words))) + button), words, seat, tiles)


def _why(table: Table, words: Words) -> Html:
    """Return the way to what the site noted when it took the turn away."""
    return Html(f' <a href="{address("match-absences", table.slug)}">{words["why"]}</a>')


def finished(table: Table, view: View, words: Words) -> Html:
    """Return the ways on from a match that is over, and below them those back into it."""
    on = Html(_again(table, view, words) + _link("lobby", words["to_lobby"]) + _share(words))
    back = _link("match-review", words["review"], table.slug, classes=PLAIN)
    if view.viewer is not None and sum(person.user_id is not None for person in table.people) > 1:
        back = Html(back + _invites_to_review(table, words))
    if view.rounds:
        back = Html(_link("match-scores", words["score_table"], table.slug, classes=PLAIN) + back)
    over = view.match_over
    if over is not None and over.reason == "timeout" and over.seat == view.viewer:
        back = Html(back + _why(table, words))
    if view.viewer is not None and table.people[view.viewer].guest:
        back = Html(f'{back}<a href="{address("guest-upgrade")}">{words["keep_match"]}</a>')
    return _zone(Html(f'{on}<p class="ways-back">{back}</p>'), words, view.viewer)


def _invites_to_review(table: Table, words: Words) -> Html:
    """Return the button that asks the others, in the chat, to go through the match together."""
    posts_to = address("match-review-invite", table.slug)
    return Html(f'<button id="review-together" form="act" formaction="{posts_to}">{words["review_together"]}</button>')


def watching(words: Words) -> Html:
    """Return the zone of a spectator."""
    return _zone(_said(words["watching"]), words, None)


def opening(label: Html, seat: int | None, *, mine: bool = False, lag_ms: int = 0) -> Html:
    """Return how the viewer's own zone begins.

    It names the seat, so that a page notices a change of viewer (js/viewer.js), and the lag of its line (js/clock.js).
    """
    viewer = Html("") if seat is None else Html(f' data-viewer="{seat}"')
    if lag_ms:
        viewer = Html(f'{viewer} data-lag="{lag_ms}"')
    classes = Html("hand mine" if mine else "hand")
    return Html(f'<section id="hand" class="{classes}"{viewer} aria-label="{label}" tabindex="-1">')


def _zone(body: Html, words: Words, seat: int | None, tiles: Html = PLAIN) -> Html:
    return Html(f'{opening(words["your_seat"], seat)}<div class="task">{body}</div>{tiles}{CLOSING}')


def _said(text: Html) -> Html:
    return Html(f'<p id="task" role="status">{text}</p>')


def _again(table: Table, view: View, words: Words) -> Html:
    """Return how to play the same game again, with the same people or with others."""
    if view.viewer is None or table.status == Status.VOID:
        return Html(_link("match", words["to_rematch"], table.rematch) if table.rematch else "")
    again = Html("")
    if table.status == Status.FINISHED:
        again = (_joining if table.rematch else _offer)(table, table.people[view.viewer], words)
    length = escape(length_of(dict(table.agreed.options)))
    others = Html(
        f'<input type="hidden" form="act" name="length" value="{length}">'
        f'<button id="new-opponents" class="button" form="act" formaction="{address("quick-play")}" '
        f'name="variant" value="{escape(table.variant)}">{words["new_opponents"]}</button>'
    )
    return Html(again + others)


def _joining(table: Table, person: Person, words: Words) -> Html:
    """Return the way to the table of the rematch; a page that waited for it follows by itself (js/rematch.js)."""
    if person.rematch != RematchAnswer.ACCEPTED:
        return _answer("yes", words["join_rematch"], first=True)
    to = address("match", table.rematch)
    return Html(f'<a id="rematch" class="button act" href="{to}" data-follow="{to}">{words["to_rematch"]}</a>')


def _offer(table: Table, person: Person, words: Words) -> Html:
    """Return what there is to say and to press about a rematch."""
    offering = table.rematch_offered_by
    if offering is None:
        declined = [other.seat for other in table.people if other.rematch == RematchAnswer.DECLINED]
        if any(seat != person.seat for seat in declined):
            return _group(_said(words.say("declined", name=name_of(table, declined[0]))))
        return _answer("yes", words["rematch"], first=True)
    if not person.rematch:
        said = _said(words.say("wants_rematch", name=name_of(table, offering)))
        return _group(Html(said + _answer("yes", words["accept"], first=True) + _answer("no", words["decline"])))
    people = [other for other in table.people if other.user_id is not None]
    awaited = [name_of(table, other.seat) for other in people if not other.rematch]
    names = Html(", ".join(awaited))
    said = _said(words.say("offered" if person.seat == offering else "accepted", names=names))
    return _group(Html(said + _answer("no", words["take_offer_back"])))


def _group(offer: Html) -> Html:
    return Html(f'<div class="offer">{offer}</div>')


def _answer(answer: str, text: Html, *, first: bool = False) -> Html:
    name, classes = (Html("rematch"), Html("button act")) if first else (Html("no-rematch"), Html("button"))
    return Html(
        f'<button id="{name}" class="{classes}" form="answer" name="answer" value="{escape(answer)}">{text}</button>'
    )


def _share(words: Words) -> Html:
    """Return the link to the addresses to hand on; a script opens the sheet of the device instead."""
    return Html(f'<a id="share-match" class="button" href="#share-address">{words["share"]}</a>')


def _link(name: str, text: Html, *arguments: str, classes: Html = BUTTON) -> Html:
    return Html(f'<a{classes} href="{address(name, *arguments)}">{text}</a>')


def _nonce(table: Table, seat: int | None) -> Html:
    """Return what a player's page needs to commit to a nonce and to open it in time."""
    if seat is None:
        return Html("")
    stage = escape(table.timer.due_kind if table.is_starting else "")
    given = escape(" ".join(person.nonce_commitment or "-" for person in table.people))
    own = escape(table.people[seat].nonce_commitment)
    return Html(
        f'<data id="nonce" hidden value="{own}" data-stage="{stage}" data-match="{escape(table.slug)}" '
        f'data-commitment="{escape(table.commitment)}" data-given="{given}"></data>'
    )


def _acts(table: Table, names: tuple[str, ...], words: Words) -> Html:
    """Return buttons that post, the most likely one first."""
    return Html("".join([_act(table, name, words[name], first=place == 0) for place, name in enumerate(names)]))


def _act(table: Table, name: str, text: Html, *, first: bool = False) -> Html:
    classes = Html("button act" if first else "button")
    posts_to = address(f"match-{name}", table.slug)
    return Html(f'<button id="{escape(name)}" class="{classes}" form="act" formaction="{posts_to}">{text}</button>')
