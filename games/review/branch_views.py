"""What if: playing on from a step of a match that is over. A branch is its address; a move leads to another."""

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
from django.views.decorators.cache import never_cache
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
from games.services.inbound import LONGEST_MOVE
from games.web.redirects import see_other
from infrastructure.bidi import isolate
from infrastructure.limits import TooFast
from infrastructure.page_limits import whose

log = structlog.get_logger()

BETWEEN = "~"  # separates the moves in an address
ANSWER_SECONDS = 15


class Origin(NamedTuple):
    """Where a branch begins: a step of what is reviewed, and the branch there that has no moves yet."""

    reviewed: Reviewed
    step: Step
    start: Branch

    @property
    def table(self) -> Table:
        return steps.at_step(self.reviewed.table, self.step)


class Asked(NamedTuple):
    """What an address asks for: the branch, after how many of its moves (``to``), and how it is played.

    The reader looks on from a ``seat`` and plays for it, if bots of a ``level`` play for the others; without a level
    the reader plays for all. ``refused`` is what cannot be done of it. ``plays``: scripts show the next moves, one by
    one.
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
        """Return the seats for which the reader plays."""
        return (self.seat,) if self.level else range(self.origin.table.seat_count)

    @property
    def mover(self) -> int:
        """Return the seat whose tiles the reader has before them."""
        to_move = self.branch.to_move(self.to)
        return self.seat if self.level or to_move is None else to_move

    @property
    def awaits_bots(self) -> bool:
        to_move = self.branch.to_move(self.to)
        return to_move is not None and to_move not in self.people

    @property
    def fields(self) -> dict[str, object]:
        """Return what the address of this branch says."""
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
        """Return the address of this branch, or of one that differs."""
        fields = {name: value for name, value in (self.fields | changes).items() if value != ""}
        return f"{self.origin.reviewed.addresses.branch}?{urlencode(fields)}"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
async def page(request: HttpRequest, slug: str = "", name: str = "") -> HttpResponse:
    """Show a branch of a match that is over or of an uploaded record.

    POST makes a move in it and leads to the address of the longer branch.
    """
    try:
        asked = await sync_to_async(read)(request, slug, name)
    except Nowhere as nowhere:
        return await sync_to_async(nowhere_page)(request, nowhere, slug)
    if request.method == "POST":
        asked = await moved(request, asked)
        if asked.refused is None:
            return see_other(asked.address(play="on" if asked.plays else ""))
    response = await sync_to_async(shown)(request, asked)
    response["HX-Replace-Url"] = asked.address()
    return response


def origin_of(reviewed: Reviewed) -> Origin:
    """Return where a branch begins: at the step or, if nobody is to move, at the last one before. Raises Nowhere."""
    if not reviewed.is_over:
        raise Nowhere(str(Refused("not_finished").text))
    for step in reversed(reviewed.past.steps[: reviewed.step.number]):
        if start := branches.begin(next(reviewed.states([step]))):
            return Origin(reviewed, step, start)
    raise Nowhere(str(Refused("no_choice").text))


def read(request: HttpRequest, slug: str, name: str) -> Asked:
    """Read what an address asks for; what of it cannot be done is left out. Raises Nowhere, Http404."""
    origin, asked = origin_of(find(request, request.GET, slug=slug, name=name)), request.GET
    own_seat = origin.reviewed.own_seat
    branch = origin.start.played(filter(None, asked.get("moves", "").split(BETWEEN)))
    perspective, last = asked.get("as", OPEN), len(branch.moves)
    seats = [str(seat) for seat in range(origin.table.seat_count)]
    looks = perspective if perspective in seats else str(origin.start.to_move(0) if own_seat is None else own_seat)
    wrong: list[str] = []
    found = Asked(
        origin=origin,
        branch=branch,
        to=int(_one_of(asked, "to", list(map(str, range(last + 1))), str(last), wrong)),
        seat=int(_one_of(asked, "seat", seats, looks, wrong)),
        level=_one_of(asked, "bots", BotLevel.values, "", wrong),
        open_hands=_one_of(asked, "hands", [OPEN], "", wrong) == OPEN,
        perspective=perspective,
        refused=branch.refused,
        plays="play" in asked and "to" in asked,
    )
    return found._replace(refused=Refused("bad_request")) if wrong else found


def _one_of(asked: QueryDict, name: str, known: Collection[str], usual: str, wrong: list[str]) -> str:
    """Return what is asked for; what is not known is noted as wrong, and the usual one returned."""
    value = asked.get(name) or usual
    if value == usual or value in known:
        return value
    wrong.append(name)
    return usual


async def moved(request: HttpRequest, asked: Asked) -> Asked:
    """Return the branch after what was pressed: with a ``move``, and with what bots play then.

    ``rest``: they play for all, to the end of the round.
    """
    move, rest = request.POST.get("move", "")[: LONGEST_MOVE + 1], "rest" in request.POST
    branch = asked.branch.until(asked.to).played([move] if move else [])
    if branch.refused:
        return asked._replace(refused=branch.refused)
    asked = asked._replace(branch=branch, to=len(branch.moves), refused=None)
    if not (rest or asked.awaits_bots):
        return asked
    try:
        branch = branch.played(await answer(request, asked, () if rest else asked.people))
    except Refused as refused:
        return asked._replace(refused=refused)
    one_by_one = "HX-Request" in request.headers and not rest
    to = asked.to if one_by_one else len(branch.moves)
    return asked._replace(branch=branch, to=to, plays=to < len(branch.moves))


async def answer(request: HttpRequest, asked: Asked, people: Collection[int]) -> tuple[str, ...]:
    """Return what bots play. Raises Refused ``too_fast`` or ``bots_late``."""
    name = f"{asked.origin.reviewed.key} {asked.origin.step.version}"
    try:
        job = branches.answer(asked.branch, people, asked.level or USUAL_LEVEL, name=name, **whose(request))
        # Whoever asked first may be gone while others still wait.
        return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(job)), ANSWER_SECONDS)
    except TooFast:
        raise Refused("too_fast") from None
    except (TimeoutError, BrokenExecutor):
        log.warning("bots_late")
        raise Refused("bots_late") from None


def shown(request: HttpRequest, asked: Asked) -> HttpResponse:
    """Return the page of a branch."""
    origin, branch, language = asked.origin, asked.branch, get_language() or "en"
    table = table_of_branch(origin.table, asked.people, asked.level)
    sees_all = asked.open_hands or not asked.level
    seen = branch.view(asked.to, None if sees_all else asked.seat, open_hands=sees_all)
    context = branch_context(
        table,
        seen,
        branch.view(asked.to, asked.mover, open_hands=False),
        branch.steps,
        at=asked.to,
        language=language,
        chosen=request.GET.get("tile", ""),
        address=asked.address(),
        refused=asked.refused,
    )
    context |= outcome_context(table, seen, origin.reviewed.past, origin.step, asked.seat, language=language)
    return render(request, "review/branch.html", context | about(asked))


def about(asked: Asked) -> dict[str, object]:
    """Return who plays in the branch, how it goes on, and the addresses to which the page leads."""
    origin = asked.origin
    is_last = asked.to == len(asked.branch.moves)
    return {
        "table": origin.table,
        "variant": origin.table.variant,
        "step": origin.step,
        "seat": asked.seat,
        "mover": "" if asked.branch.to_move(asked.to) is None else asked.mover,
        "is_own": asked.seat == origin.reviewed.own_seat,
        "people": [(person.seat, isolate(person.name)) for person in origin.table.people],
        "level": asked.level,
        "open_hands": asked.open_hands,
        "awaits_bots": asked.awaits_bots,
        "goes_on": asked.awaits_bots and is_last and asked.refused is None,
        "plays": asked.plays and not is_last,
        "fields": asked.fields,
        "posts_to": asked.address(),
        "line": asked.address(to=""),
        "again": asked.address(moves="", to=""),
        "back": f"{origin.reviewed.addresses.review}?{urlencode({'at': origin.step.number, 'as': asked.perspective})}",
    }
