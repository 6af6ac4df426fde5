"""Lists of finished matches as HTML, built in Python because a template would take ten times as long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from django.utils import translation
from django.utils.safestring import SafeString

from accounts.sanctions.reasons import reason_text
from games.enums import Outcome, Status, Visibility
from games.history.texts import HISTORY_TEXTS, ROUND_COUNT
from games.html import Html, escape, mark_trusted
from games.match.listed import FinishedMatch, FinishedPlayer, FinishedSide
from games.rendering.addresses import page_address, person_address
from games.rendering.faces import face_html
from games.rendering.moments import ago_element
from games.rendering.standing import standing_score
from games.words import words_of
from games.words.lookup import number_text, words_for
from games.words.names import translated_name

SLUG_PLACEHOLDER = "SLUG"  # a placeholder in addresses, which are looked up once


def match_lines(matches: Iterable[FinishedMatch], language: str) -> SafeString:
    """Return the items of a list."""
    return SafeString("".join([_match_line(match, language) for match in matches]))


@cache
def _phrases(language: str) -> dict[str, Html]:
    with translation.override(language):
        return {key: escape(str(text)) for key, text in HISTORY_TEXTS.items()}


@cache
def _rounds(count: int, language: str) -> Html:
    with translation.override(language):
        return escape(ROUND_COUNT % {"rounds": count})


def _address(page: str, slug: str) -> Html:
    prefix, suffix = _address_around_slug(page)
    return Html(f"{prefix}{escape(slug)}{suffix}")


@cache
def _address_around_slug(page: str) -> tuple[Html, Html]:
    """Return the parts of the address of a match's page around the slug."""
    prefix, _slug, suffix = page_address(page, SLUG_PLACEHOLDER).partition(SLUG_PLACEHOLDER)
    return escape(prefix), escape(suffix)


def _match_line(match: FinishedMatch, language: str) -> Html:
    words = _phrases(language)
    match_address, review_address = _address("match", match.slug), _address("match-review", match.slug)
    scores_address = _address("match-scores", match.slug)
    game = escape(words_of(match.variant).name)
    rounds = _rounds(match.rounds, language)
    game_suffix = Html(f'<span class="visually-hidden"> {game}</span>')
    return Html(
        '<li class="card match-line"><svg class="mark-of-game" aria-hidden="true">'
        f'<use href="#picture-{escape(match.variant)}"/></svg><div class="match-line-words">'
        f'<h3><a href="{match_address}">{game}</a></h3><p class="small soft">'
        f'{ago_element(match.finished_at)} <span class="whole">{rounds}</span></p>'
        f"{_void_reason(match, words)}</div>"
        f'<p class="match-line-marks">{_badges(match, words)}</p>'
        f'<ol class="ranks" role="list">{_sides(match, language)}</ol>'
        f'<p class="match-line-acts small"><a href="{review_address}">{words["review"]}{game_suffix}</a>'
        f'<a href="{scores_address}">{words["scores"]}{game_suffix}</a></p></li>'
    )


def _badges(match: FinishedMatch, words: Mapping[str, Html]) -> Html:
    void, stopped = match.status == Status.VOID, match.status == Status.STOPPED and not match.own
    unlisted = match.agreed.visibility == Visibility.LINK
    badge_applies = {"void": void, "stopped": stopped, "by_link": unlisted, "rated": match.agreed.rated}
    marks = [Html(f'<span class="badge">{words[key]}</span>') for key, applies in badge_applies.items() if applies]
    if match.own and not void:
        outcome = escape(match.own.outcome)
        marks.append(Html(f'<b class="outcome outcome-{outcome}">{words[match.own.outcome]}</b>'))
    return Html(" ".join(marks))


def _void_reason(match: FinishedMatch, words: Mapping[str, Html]) -> Html:
    """Return the reason why the match is void, "" for others."""
    if match.status != Status.VOID or not match.void_reason:
        return Html("")
    text = words["declared_void"] % {"reason": escape(reason_text(match.void_reason))}
    return Html(f'<p class="small">{mark_trusted(text)}</p>')


def _sides(match: FinishedMatch, language: str) -> Html:
    table_words = words_for(match.variant, language)
    sides = [_side_html(side, standing_score(side.standing, table_words), match.own, language) for side in match.sides]
    return Html("".join(sides))


def _side_html(side: FinishedSide, score: Html, own: FinishedPlayer | None, language: str) -> Html:
    words, place = _phrases(language), Html("")
    if side.place:
        place = Html(
            f'<span class="place numeric"><span class="visually-hidden">{words["place"]} </span>{side.place}</span> '
        )
    players = Html(" ".join([_player_html(player, player is own, language) for player in side.players]))
    first = Html(" rank-first" if side.place == 1 else "")
    return Html(f'<li class="rank{first}">{place}<span class="rank-players">{players}</span> {score}</li>')


def _player_html(player: FinishedPlayer, is_own: bool, language: str) -> Html:
    words, name = _phrases(language), Html(f"<bdi>{escape(translated_name(language, player.name))}</bdi>")
    if player.user_id:
        current = Html(' aria-current="true"' if is_own else "")
        name = Html(f'<a href="{person_address(player.user_id)}"{current} translate="no">{name}</a>')
    else:
        name = Html(f'<span translate="no">{name}</span>')
    notes = {"bot": player.is_bot, "guest": player.is_guest, "left": player.outcome == Outcome.LEFT}
    notes["timeout"] = player.outcome == Outcome.TIMEOUT
    labels = [words[key] for key, applies in notes.items() if applies]
    notes_html = Html("".join([f' <span class="small soft">{label}</span>' for label in labels]))
    gain = Html("")
    if player.gain is not None:
        points = number_text(player.gain)
        rating_label = Html(f'<span class="visually-hidden">{words["rating"]} </span>')
        loss_class, sign = (Html(" gain-lost"), Html("")) if player.gain < 0 else (Html(""), Html("+"))
        gain = Html(f' <span class="gain{loss_class} small numeric">{rating_label}{sign}{points}</span>')
    return Html(f'<span class="rank-player">{face_html(player.name, player.colour)} {name}{notes_html}{gain}</span>')
