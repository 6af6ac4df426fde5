"""The JSON that endpoints return."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from ninja import Field, Schema


class PlayerOut(Schema):
    """The player in a seat.

    ``kind`` is ``bot`` for a bot of the site, ``human`` for people and for bots that play by this API, or ``empty``.
    ``level`` is that of a bot of the site. ``state`` is ``active``, ``late``, ``held`` (a bot of the site stands in)
    or ``forfeited``. ``bank_ms`` is the time bank at the beginning of the turn.
    """

    seat: int
    name: str
    kind: str
    person: int | None
    guest: bool
    level: str
    ready: bool
    away: bool
    state: str
    bank_ms: int


class TermsOut(Schema):
    """The terms of a table."""

    variant: str
    options: dict[str, str]
    rated: bool
    visibility: str
    clock: str
    delay: str


class StartOut(Schema):
    """The start of a match. ``stage`` is ``commit`` (to nonces), then ``reveal``: commitments can no longer change.

    ``nonce_commitments`` has a text for each seat, "" for none.
    """

    stage: str
    nonce_commitments: list[str]


class MatchOut(TermsOut):
    """A match as the caller may see it: spectators may see it with a delay. Streams send the same.

    ``status`` is ``open`` (waiting for players), ``running``, ``finished``, ``stopped`` or ``void``. ``version``
    counts the events. ``start`` is None unless the match is just starting. ``move_ms`` is the free time of a move, 0
    without a clock. ``deadline_ms`` is when the time of the seat to move is up, the next round is dealt, or an open
    table is checked for absent players, in milliseconds since 1970. ``seat`` is the seat of a bot's token, and
    ``view`` what that seat may see, or a spectator without one (docs/bots.md); None before the start.
    """

    slug: str
    status: str
    version: int
    round: int
    commitment: str
    start: StartOut | None
    move_ms: int
    deadline_ms: int | None
    players: list[PlayerOut]
    seat: int | None
    view: dict[str, Any] | None


class ListedPlayerOut(Schema):
    name: str
    kind: str
    guest: bool
    score: str | None = None


class ListedTableOut(TermsOut):
    """A table in the lists of the lobby. ``exhibition``: only bots of the site play."""

    slug: str
    status: str
    round: int
    players: list[ListedPlayerOut]
    spectators: int
    exhibition: bool


class TablesOut(Schema):
    """Public tables, as in the lobby: up to 40 open ones and up to 40 running ones."""

    open: list[ListedTableOut]
    running: list[ListedTableOut]


class FinishedPlayerOut(Schema):
    """``gain``: rating points of Kozel. ``outcome``: ``won``, ``lost``, ``left``, ``timeout`` or ``stopped``."""

    seat: int
    name: str
    kind: str
    person: int | None
    guest: bool
    outcome: str
    gain: int | None


class FinishedSideOut(Schema):
    """The players of a side. ``place`` 1 is the best; None if nobody won."""

    place: int | None
    score: str | None
    players: list[FinishedPlayerOut]


class FinishedMatchOut(TermsOut):
    slug: str
    status: str
    finished_at: datetime
    rounds: int
    sides: list[FinishedSideOut]


class HistoryOut(Schema):
    """A page of finished matches, newest first. ``next``: pass it as ``after`` for the next page; None on the last."""

    matches: list[FinishedMatchOut]
    next: str | None


class RatingOut(Schema):
    rating: int
    provisional: bool


class GameOfPersonOut(Schema):
    """The public results of a person in a game."""

    variant: str
    matches: int
    won: int
    lost: int
    left: int
    timeout: int
    stopped: int
    points: int | None
    rating: RatingOut | None


class PersonOut(Schema):
    id: int
    name: str
    guest: bool
    games: list[GameOfPersonOut]


class LeaderOut(Schema):
    """``place`` counts from 1."""

    place: int
    person: int
    name: str
    rating: int


class LeaderboardOut(Schema):
    variant: str
    leaders: list[LeaderOut]


class RatedBotOut(Schema):
    """A bot on the ladder. ``spread``: the true rating is within this many points 19 times in 20.

    ``anchored``: results connect it with a level, whose rating is fixed. Other ratings compare bots that have met.
    """

    bot: int
    name: str
    owner: int
    owner_name: str
    rating: int
    spread: int
    matches: int
    anchored: bool


class LevelRatingOut(Schema):
    level: str
    rating: int


class BotLadderOut(Schema):
    """The bots of a game, the strongest first, those that are not anchored last."""

    variant: str
    bots: list[RatedBotOut]
    levels: list[LevelRatingOut]


class PuzzleOut(Schema):
    """The puzzle of a day. ``difficulty`` is empty until ten people have tried it."""

    variant: str
    day: date
    number: int
    difficulty: str
    address: str


class BoardDayOut(Schema):
    """A set of daily boards. ``commitment`` is the fingerprint of its secret, published a day before."""

    variant: str
    date: date
    commitment: str
    boards: int
    opened_at: datetime | None
    closed_at: datetime | None


class TodayOut(Schema):
    puzzles: list[PuzzleOut]
    boards: list[BoardDayOut]


class TournamentIn(Schema):
    """The terms of a tournament. Those that are missing are chosen as in the form of the site, with its choices.

    ``starts``: in how many minutes: 10, 30, 60, 120, 180, 360, 720, 1440, 2880, 4320 or 10080. ``minutes``: 30 or 60,
    of an arena. ``rounds``: 3 to 9, of a Swiss tournament. ``boards``: 4 or 8, of a duplicate one. ``people``:
    ``all``, ``accounts`` without guests, or ``bots``. ``min_rating``, ``max_rating`` and ``min_matches`` are those of
    the form.
    """

    name: str
    variant: str
    format: str = "arena"
    seats: int | None = None
    options: dict[str, str] = {}
    clock: str | None = None
    visibility: str | None = None
    rated: bool = False
    starts: int | None = None
    minutes: int | None = None
    rounds: int | None = None
    boards: int | None = None
    people: str | None = None
    asks: bool = False
    min_rating: int | None = None
    max_rating: int | None = None
    min_matches: int | None = None

    def form_fields(self) -> dict[str, Any]:
        """Return the terms whose names and values are those of the form."""
        return self.dict(exclude={"variant", "options", "rated", "asks"}, exclude_none=True)


class TournamentHeadingOut(Schema):
    """A tournament.

    ``people`` is the number of people in a party: 2 are partners. ``parties`` have entered and not left. ``rounds`` is
    0 if it follows from their number, and in an arena. ``stage`` is ``announced``, ``running``, ``over`` or
    ``cancelled``. ``asks``: the host accepts each entry. ``min_rating`` and the others are 0 without a limit.
    ``club`` is the name of the club whose members may enter, "" for everybody. ``commitment`` is the fingerprint of
    the secret of its boards, "" without any.
    """

    slug: str
    name: str
    format: str
    variant: str
    options: dict[str, str]
    seats: int
    people: int
    clock: str
    rated: bool
    visibility: str
    host: str
    stage: str
    starts_at: datetime
    minutes: int
    round: int
    rounds: int
    parties: int
    asks: bool
    needs_account: bool
    bots_only: bool
    min_rating: int
    max_rating: int
    min_matches: int
    club: str
    commitment: str


class TournamentsOut(Schema):
    """Public tournaments: the next first, finished ones latest first."""

    running: list[TournamentHeadingOut]
    upcoming: list[TournamentHeadingOut]
    finished: list[TournamentHeadingOut]


class StandingLineOut(Schema):
    """A party, best first. ``place`` is null while nobody has points. ``gone``: it has left."""

    place: int | None
    names: list[str]
    points: float
    gone: bool


class TournamentTableOut(Schema):
    """A table. ``sides`` has the names of each side, none for a bot. ``match`` is null if you cannot watch it."""

    number: int
    sides: list[list[str]]
    match: str | None


class OwnEntryOut(Schema):
    """The caller's entry. ``status``: ``asked`` (the host), ``seeking`` (a partner), ``entered`` or ``gone``.

    ``match`` is the one that the caller plays in the tournament now.
    """

    status: str
    match: str | None


class TournamentOut(TournamentHeadingOut):
    """A tournament with its standing and up to 30 tables that are played now. ``own``: null without an entry."""

    standing: list[StandingLineOut]
    tables: list[TournamentTableOut]
    own: OwnEntryOut | None


class EntryIn(Schema):
    """``entry``: the number of an entry."""

    entry: int


class EntryOut(Schema):
    entry: int
    name: str


class EntriesOut(Schema):
    """``asking`` entries wait for the host. ``entered`` ones can be removed; the list is empty after the start."""

    asking: list[EntryOut]
    entered: list[EntryOut]


class OwnMatchOut(Schema):
    """An unfinished match, and the seat of the bot there."""

    slug: str
    variant: str
    status: str
    seat: int


class InvitationOut(Schema):
    """An invitation to a table with a free seat."""

    slug: str
    variant: str
    inviter: str = Field(alias="from")


class EventsOut(Schema):
    """A line of the stream of events."""

    matches: list[OwnMatchOut]
    invitations: list[InvitationOut]


RecordOut = dict[str, Any]  # docs/records.md
