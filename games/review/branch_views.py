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
from games.enums import USUAL_LEVEL, BotLevel
from games.errors import Refused
from games.match.table import Table
from games.review import branch as branches
from games.review import steps
from games.review.branch import Branch
from games.review.branch_rendering import branch_context, outcome_context, table_of_branch
from games.review.past import OPEN, Step
from games.review.reviewed import Nowhere, Reviewed, find
from games.review.views import nowhere_page
from games.services.inbound import MAX_MOVE_LENGTH
from games.web.redirects import see_other
from infrastructure.bidi import isolate
from infrastructure.limits import TooFast
from infrastructure.page_limits import whose

log = structlog.get_logger()

BETWEEN = "~"  # separates the moves in an address
ANSWER_SECONDS = 15


class Origin(NamedTuple):
    """The step at which a branch begins, and the branch without moves."""

    reviewed: Reviewed
    step: Step
    start: Branch

    @property
    def table(self) -> Table:
        return steps.at_step(self.reviewed.table, self.step)


class BranchQuery(NamedTuple):
    """The parsed address of a branch, which is shown after the first ``to`` of its moves.

    The viewer sees the table from a ``seat`` and plays for it while bots of a ``level`` play for the others; without a
    level the viewer plays for all. ``refused`` says why a move or value is invalid. ``plays``: scripts show the next
    moves one by one.
    """

    origin: Origin
    branch: Branch
    to: int
    seat: int
    level: str
    open_hands: bool
    perspective: str
    refused: Refusal | Refused | None
    plays: bool = False

    @property
    def people(self) -> Collection[int]:
        """The seats for which the viewer plays."""
        return (self.seat,) if self.level else range(self.origin.table.seat_count)

    @property
    def mover(self) -> int:
        """The seat whose hand is shown."""
        to_move = self.branch.to_move(self.to)
        return self.seat if self.level or to_move is None else to_move

    @property
    def awaits_bots(self) -> bool:
        to_move = self.branch.to_move(self.to)
        return to_move is not None and to_move not in self.people

    @property
    def fields(self) -> dict[str, object]:
        """The values in the address of this branch."""
        return {
            "at": self.origin.step.number,
            "as": self.perspective,
            "seat": self.seat,
            "bots": self.level,
            "hands": OPEN if self.open_hands else "",
            "moves": BETWEEN.join(self.branch.moves),
            "to": self.to if self.to < len(self.branch.moves) else "",
        }

    def address(self, **changes: object) -> str:
        """Return the address of this branch with some values changed."""
        fields = {name: value for name, value in (self.fields | changes).items() if value != ""}
        return f"{self.origin.reviewed.addresses.branch}?{urlencode(fields)}"


@require_http_methods(["GET", "HEAD", "POST"])
async def page(request: HttpRequest, slug: str = "", name: str = "") -> HttpResponse:
    """Show a branch of a match that is over or of an uploaded record.

    POST makes a move and redirects to the address of the longer branch.
    """
    try:
        query = await sync_to_async(read)(request, slug, name)
    except Nowhere as nowhere:
        return await sync_to_async(nowhere_page)(request, nowhere, slug)
    if request.method == "POST":
        query = await make_move(request, query)
        if query.refused is None:
            return see_other(query.address(play="on" if query.plays else ""))
    response = await sync_to_async(render_branch)(request, query)
    response["HX-Replace-Url"] = query.address()
    return response


def origin_of(reviewed: Reviewed) -> Origin:
    """Return the last step, up to the reviewed one, at which somebody is to move. Raises Nowhere."""
    if not reviewed.is_over:
        raise Nowhere(str(Refused("not_finished").text))
    for step in reversed(reviewed.past.steps[: reviewed.step.number]):
        if start := branches.begin(next(reviewed.states([step]))):
            return Origin(reviewed, step, start)
    raise Nowhere(str(Refused("no_choice").text))


def read(request: HttpRequest, slug: str, name: str) -> BranchQuery:
    """Parse an address. Invalid moves and values are replaced and reported as refused. Raises Nowhere, Http404."""
    origin, data = origin_of(find(request, request.GET, slug=slug, name=name)), request.GET
    own_seat = origin.reviewed.own_seat
    branch = origin.start.played(filter(None, data.get("moves", "").split(BETWEEN)))
    perspective, last = data.get("as", OPEN), len(branch.moves)
    seats = [str(seat) for seat in range(origin.table.seat_count)]
    seat = perspective if perspective in seats else str(origin.start.to_move(0) if own_seat is None else own_seat)
    invalid: list[str] = []
    query = BranchQuery(
        origin=origin,
        branch=branch,
        to=int(_one_of(data, "to", list(map(str, range(last + 1))), str(last), invalid)),
        seat=int(_one_of(data, "seat", seats, seat, invalid)),
        level=_one_of(data, "bots", BotLevel.values, "", invalid),
        open_hands=_one_of(data, "hands", [OPEN], "", invalid) == OPEN,
        perspective=perspective,
        refused=branch.refused,
        plays="play" in data and "to" in data,
    )
    return query._replace(refused=Refused("bad_request")) if invalid else query


def _one_of(data: QueryDict, name: str, choices: Collection[str], default: str, invalid: list[str]) -> str:
    """Return a value of the address, or else the default; add its name to ``invalid`` if it is not allowed."""
    value = data.get(name) or default
    if value == default or value in choices:
        return value
    invalid.append(name)
    return default


async def make_move(request: HttpRequest, query: BranchQuery) -> BranchQuery:
    """Return the branch with the submitted ``move`` and the bots' answer to it.

    With ``rest``, bots play for all to the end of the round.
    """
    move, rest = request.POST.get("move", "")[: MAX_MOVE_LENGTH + 1], "rest" in request.POST
    branch = query.branch.until(query.to).played([move] if move else [])
    if branch.refused:
        return query._replace(refused=branch.refused)
    query = query._replace(branch=branch, to=len(branch.moves), refused=None)
    if not (rest or query.awaits_bots):
        return query
    try:
        branch = branch.played(await bot_moves(request, query, () if rest else query.people))
    except Refused as refused:
        return query._replace(refused=refused)
    one_by_one = "HX-Request" in request.headers and not rest
    to = query.to if one_by_one else len(branch.moves)
    return query._replace(branch=branch, to=to, plays=to < len(branch.moves))


async def bot_moves(request: HttpRequest, query: BranchQuery, people: Collection[int]) -> tuple[str, ...]:
    """Return the moves of the bots. Raises Refused ``too_fast`` or ``bots_late``."""
    name = f"{query.origin.reviewed.key} {query.origin.step.version}"
    try:
        job = branches.answer(query.branch, people, query.level or USUAL_LEVEL, name=name, **whose(request))
        # Other requests may wait for the same job, so it is not cancelled with this one.
        return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(job)), ANSWER_SECONDS)
    except TooFast:
        raise Refused("too_fast") from None
    except (TimeoutError, BrokenExecutor):
        log.warning("bots_late")
        raise Refused("bots_late") from None


def render_branch(request: HttpRequest, query: BranchQuery) -> HttpResponse:
    origin, branch, language = query.origin, query.branch, get_language() or "en"
    table = table_of_branch(origin.table, query.people, query.level)
    sees_all = query.open_hands or not query.level
    seen = branch.view(query.to, None if sees_all else query.seat, open_hands=sees_all)
    context = branch_context(
        table,
        seen,
        branch.view(query.to, query.mover, open_hands=False),
        branch.steps,
        at=query.to,
        language=language,
        chosen=request.GET.get("tile", ""),
        address=query.address(),
        refused=query.refused,
    )
    context |= outcome_context(table, seen, origin.reviewed.past, origin.step, query.seat, language=language)
    return render(request, "review/branch.html", context | query_context(query))


def query_context(query: BranchQuery) -> dict[str, object]:
    """Return the players of the branch, its next step, and the addresses of the page's links."""
    origin = query.origin
    is_last = query.to == len(query.branch.moves)
    return {
        "table": origin.table,
        "variant": origin.table.variant,
        "step": origin.step,
        "seat": query.seat,
        "mover": "" if query.branch.to_move(query.to) is None else query.mover,
        "is_own": query.seat == origin.reviewed.own_seat,
        "people": [(person.seat, isolate(person.name)) for person in origin.table.people],
        "level": query.level,
        "open_hands": query.open_hands,
        "awaits_bots": query.awaits_bots,
        "goes_on": query.awaits_bots and is_last and query.refused is None,
        "plays": query.plays and not is_last,
        "fields": query.fields,
        "posts_to": query.address(),
        "line": query.address(to=""),
        "again": query.address(moves="", to=""),
        "back": f"{origin.reviewed.addresses.review}?{urlencode({'at': origin.step.number, 'as': query.perspective})}",
    }
