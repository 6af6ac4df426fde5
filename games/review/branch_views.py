"""The page of a branch: other moves from a step of a match that is over. The address contains the whole branch."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from concurrent.futures import BrokenExecutor
from typing import NamedTuple
from urllib.parse import urlencode

import structlog
from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from games.engine.refusal import Refusal
from games.enums import DEFAULT_BOT_LEVEL, BotLevel
from games.errors import Refused
from games.match.table import Table
from games.review import branch as branches
from games.review import steps
from games.review.branch import Branch
from games.review.branch_rendering import branch_context, branch_table, result_context
from games.review.match_steps import OPEN_PERSPECTIVE, Step
from games.review.review import NothingToReview, Review, find_review
from games.review.views import nothing_to_review_page
from games.services.inbound import MAX_MOVE_LENGTH
from games.web.redirects import see_other
from infrastructure.bidi import isolate
from infrastructure.limits import LimitExceeded
from infrastructure.page_limits import limit_keys

log = structlog.get_logger()

MOVE_SEPARATOR = "~"  # separates the moves in an address
BOT_TIMEOUT_SECONDS = 15


class BranchStart(NamedTuple):
    """The step at which a branch begins, and the branch without moves."""

    review: Review
    step: Step
    empty_branch: Branch

    @property
    def table(self) -> Table:
        return steps.at_step(self.review.table, self.step)


class BranchQuery(NamedTuple):
    """The parsed address of a branch, which is shown after the first ``move_count`` of its moves.

    The viewer sees the table from a ``seat`` and plays for it while bots of a ``level`` play for the others; without a
    level the viewer plays for all. ``refusal`` says why a move or value is invalid. ``is_animated``: scripts show the
    next moves one by one.
    """

    start: BranchStart
    branch: Branch
    move_count: int
    seat: int
    level: str
    open_hands: bool
    perspective: str
    refusal: Refusal | Refused | None
    is_animated: bool = False

    @property
    def human_seats(self) -> Collection[int]:
        """The seats for which the viewer plays."""
        return (self.seat,) if self.level else range(self.start.table.seat_count)

    @property
    def hand_seat(self) -> int:
        """The seat whose hand is shown."""
        to_move = self.branch.to_move(self.move_count)
        return self.seat if self.level or to_move is None else to_move

    @property
    def awaits_bots(self) -> bool:
        to_move = self.branch.to_move(self.move_count)
        return to_move is not None and to_move not in self.human_seats

    @property
    def parameters(self) -> dict[str, object]:
        """The parameters in the address of this branch."""
        return {
            "at": self.start.step.number,
            "as": self.perspective,
            "seat": self.seat,
            "bots": self.level,
            "hands": OPEN_PERSPECTIVE if self.open_hands else "",
            "moves": MOVE_SEPARATOR.join(self.branch.moves),
            "to": self.move_count if self.move_count < len(self.branch.moves) else "",
        }

    def address(self, **changes: object) -> str:
        """Return the address of this branch with some parameters changed."""
        parameters = {name: value for name, value in (self.parameters | changes).items() if value != ""}
        return f"{self.start.review.addresses.branch}?{urlencode(parameters)}"


@require_http_methods(["GET", "HEAD", "POST"])
async def branch_page(request: HttpRequest, slug: str = "", name: str = "") -> HttpResponse:
    """Show a branch of a match that is over or of an uploaded record.

    POST makes a move and redirects to the address of the longer branch.
    """
    try:
        query = await sync_to_async(parse_query)(request, slug, name)
    except NothingToReview as error:
        return await sync_to_async(nothing_to_review_page)(request, error, slug)
    if request.method == "POST":
        query = await play_submitted_move(request, query)
        if query.refusal is None:
            return see_other(query.address(play="on" if query.is_animated else ""))
    response = await sync_to_async(render_branch)(request, query)
    response["HX-Replace-Url"] = query.address()
    return response


def find_branch_start(review: Review) -> BranchStart:
    """Return the last step, up to that of the review, at which somebody is to move. Raises NothingToReview."""
    if not review.is_over:
        raise NothingToReview(str(Refused("not_finished").text))
    for step in reversed(review.match_steps.steps[: review.step.number]):
        if branch := branches.start_branch(next(review.read_states([step]))):
            return BranchStart(review, step, branch)
    raise NothingToReview(str(Refused("no_choice").text))


def parse_query(request: HttpRequest, slug: str, name: str) -> BranchQuery:
    """Parse an address. Invalid moves and values are replaced and reported in ``refusal``.

    Raises NothingToReview, Http404.
    """
    start, data = find_branch_start(find_review(request, request.GET, slug=slug, name=name)), request.GET
    own_seat = start.review.own_seat
    branch = start.empty_branch.with_moves(filter(None, data.get("moves", "").split(MOVE_SEPARATOR)))
    perspective, last = data.get("as", OPEN_PERSPECTIVE), len(branch.moves)
    seats = [str(seat) for seat in range(start.table.seat_count)]
    default_seat = start.empty_branch.to_move(0) if own_seat is None else own_seat
    seat = perspective if perspective in seats else str(default_seat)
    invalid: list[str] = []
    query = BranchQuery(
        start=start,
        branch=branch,
        move_count=int(_allowed_value(data, "to", list(map(str, range(last + 1))), str(last), invalid)),
        seat=int(_allowed_value(data, "seat", seats, seat, invalid)),
        level=_allowed_value(data, "bots", BotLevel.values, "", invalid),
        open_hands=_allowed_value(data, "hands", [OPEN_PERSPECTIVE], "", invalid) == OPEN_PERSPECTIVE,
        perspective=perspective,
        refusal=branch.refusal,
        is_animated="play" in data and "to" in data,
    )
    return query._replace(refusal=Refused("bad_request")) if invalid else query


def _allowed_value(data: QueryDict, name: str, choices: Collection[str], default: str, invalid: list[str]) -> str:
    """Return a value of the address, or else the default; add its name to ``invalid`` if it is not allowed."""
    value = data.get(name) or default
    if value == default or value in choices:
        return value
    invalid.append(name)
    return default


async def play_submitted_move(request: HttpRequest, query: BranchQuery) -> BranchQuery:
    """Return the branch with the submitted ``move`` and the bots' answer to it.

    With ``rest``, bots play for all to the end of the round.
    """
    move, to_the_end = request.POST.get("move", "")[: MAX_MOVE_LENGTH + 1], "rest" in request.POST
    branch = query.branch.truncate(query.move_count).with_moves([move] if move else [])
    if branch.refusal:
        return query._replace(refusal=branch.refusal)
    query = query._replace(branch=branch, move_count=len(branch.moves), refusal=None)
    if not (to_the_end or query.awaits_bots):
        return query
    try:
        branch = branch.with_moves(await bot_moves(request, query, () if to_the_end else query.human_seats))
    except Refused as refused:
        return query._replace(refusal=refused)
    one_by_one = "HX-Request" in request.headers and not to_the_end
    move_count = query.move_count if one_by_one else len(branch.moves)
    return query._replace(branch=branch, move_count=move_count, is_animated=move_count < len(branch.moves))


async def bot_moves(request: HttpRequest, query: BranchQuery, human_seats: Collection[int]) -> tuple[str, ...]:
    """Return the moves of the bots. Raises Refused ``too_fast`` or ``bots_late``."""
    name = f"{query.start.review.key} {query.start.step.version}"
    try:
        level = query.level or DEFAULT_BOT_LEVEL
        moves_job = branches.request_bot_moves(query.branch, human_seats, level, name=name, **limit_keys(request))
        # Other requests may wait for the same job, so it is not cancelled with this one.
        return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(moves_job)), BOT_TIMEOUT_SECONDS)
    except LimitExceeded:
        raise Refused("too_fast") from None
    except (TimeoutError, BrokenExecutor):
        log.warning("bots_late")
        raise Refused("bots_late") from None


def render_branch(request: HttpRequest, query: BranchQuery) -> HttpResponse:
    start, branch, language = query.start, query.branch, get_language() or "en"
    table = branch_table(start.table, query.human_seats, query.level)
    sees_all = query.open_hands or not query.level
    table_view = branch.view(query.move_count, None if sees_all else query.seat, open_hands=sees_all)
    context = branch_context(
        table,
        table_view,
        branch.view(query.move_count, query.hand_seat, open_hands=False),
        branch.steps,
        move_count=query.move_count,
        language=language,
        chosen_tile=request.GET.get("tile", ""),
        address=query.address(),
        refusal=query.refusal,
    )
    context |= result_context(table, table_view, start.review.match_steps, start.step, query.seat, language=language)
    return render(request, "review/branch.html", context | query_context(query))


def query_context(query: BranchQuery) -> dict[str, object]:
    """Return the players of the branch, its next step, and the addresses of the page's links."""
    start = query.start
    review_query = urlencode({"at": start.step.number, "as": query.perspective})
    is_last = query.move_count == len(query.branch.moves)
    return {
        "table": start.table,
        "variant": start.table.variant,
        "step": start.step,
        "seat": query.hand_seat,
        "own_seat": query.seat,
        "mover": "" if query.branch.to_move(query.move_count) is None else query.hand_seat,
        "is_own": query.seat == start.review.own_seat,
        "people": [(person.seat, isolate(person.name)) for person in start.table.people],
        "level": query.level,
        "open_hands": query.open_hands,
        "awaits_bots": query.awaits_bots,
        "bots_move_next": query.awaits_bots and is_last and query.refusal is None,
        "is_animated": query.is_animated and not is_last,
        "parameters": query.parameters,
        "form_action": query.address(),
        "base_address": query.address(to=""),
        "restart_address": query.address(moves="", to=""),
        "review_address": f"{start.review.addresses.review}?{review_query}",
    }
