"""The pages that tests of languages look at: one of each kind, and those that differ between the games."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from accounts.models import User
from games.words import offered_variants
from tests.games.reviewed import RECORDS, import_recording, play_random_moves, store_report

PUBLIC_PAGES = [
    *("/", "/?game=kozel", "/tables/new/?game=all_fives", "/rules/", "/fair-dealing/", "/fair-dealing/statistics/"),
    *(
        "/puzzles/",
        "/daily/",
        "/daily/kozel/",
        "/tournaments/",
        "/clubs/",
        "/tv/",
        "/review/import/",
        "/privacy/",
        "/matches/",
        "/conduct/",
        "/moderation/figures/",
        "/open-data/",
    ),
    *("/accounts/guest/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"),
]
PAGES_OF_PLAYERS = [
    *("/", "/accounts/settings/", "/accounts/blocks/", "/accounts/follows/", "/accounts/data/"),
    *("/accounts/sanctions/", "/conduct/", "/tournaments/new/?game=kozel"),
]
PAGES_OF_GAMES = ["/rules/{}/", "/learn/{}/", "/puzzles/{}/", "/leaderboard/{}/", "/leaderboard/{}/bots/"]
# Short recorded matches, and the games whose reports take less than a second.
RECORDINGS = {
    "all_fives": "four-short",
    "gamezz": "two-exactly-100",
    "kozel": "two-fish-redeal",
    "rytmino": "three-out",
    "triominoes": "three-quick",
}
REPORTED_GAMES = ("all_fives", "gamezz", "kozel")


class Sample(NamedTuple):
    """A player, and the addresses of pages that visitors and the player can read."""

    player: User
    general_pages: list[str]
    pages_of_games: dict[str, list[str]]
    own_pages: list[str]

    @property
    def public_pages(self) -> list[str]:
        return [*self.general_pages, *chain(*self.pages_of_games.values())]


def prepare_sample() -> Sample:
    """Store a finished match, some with a report, and a running one of each game."""
    finished = {game: import_recording(RECORDS / game / f"{RECORDINGS[game]}.json") for game in offered_variants()}
    running = {game: play_random_moves(game, 12) for game in finished}
    for game in REPORTED_GAMES:
        store_report(finished[game])
    pages_of_games = {
        game: [
            *(page.format(game) for page in PAGES_OF_GAMES),
            *(f"/match/{match.slug}/" for match in (finished[game], running[game])),
            f"/match/{finished[game].slug}/review/?at=20",
        ]
        for game in finished
    }
    reported = finished[REPORTED_GAMES[0]]
    player = reported.seats.get(index=0).user
    assert player is not None
    general = [*PUBLIC_PAGES, f"/match/{reported.slug}/scores/", f"/people/{player.pk}/"]
    return Sample(player, general, pages_of_games, PAGES_OF_PLAYERS)
