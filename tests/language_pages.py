"""The pages that tests of languages look at: one of each kind, and those that differ between the games."""

from __future__ import annotations

from typing import NamedTuple

from accounts.models import User
from games.words import offered_variants
from tests.games.reviewed import import_recording, play_random_moves, recording_files, store_report

PUBLIC_PAGES = [
    *("/", "/?game=kozel", "/tables/new/?game=all_fives", "/rules/", "/fair-dealing/", "/fair-dealing/statistics/"),
    *("/puzzles/", "/tv/", "/review/import/", "/privacy/", "/matches/", "/conduct/", "/moderation/figures/"),
    *("/accounts/guest/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"),
]
PAGES_OF_PLAYERS = [
    *("/", "/accounts/settings/", "/accounts/blocks/", "/accounts/follows/", "/accounts/data/"),
    *("/accounts/sanctions/", "/conduct/"),
]
PAGES_OF_GAMES = ["/rules/{}/", "/learn/{}/", "/puzzles/{}/", "/leaderboard/{}/"]


class Sample(NamedTuple):
    """A player, and the addresses of pages that visitors and the player can read."""

    player: User
    public_pages: list[str]
    own_pages: list[str]


def prepare_sample() -> Sample:
    """Store a finished match with a report and a running one of each game."""
    games = list(offered_variants())
    finished = [store_report(import_recording(recording_files(game)[0])) for game in games]
    running = [play_random_moves(game, 12) for game in games]
    player = finished[0].seats.get(index=0).user
    assert player is not None
    pages = PUBLIC_PAGES + [page.format(game) for game in games for page in PAGES_OF_GAMES]
    pages += [f"/match/{match.slug}/" for match in (*finished, *running)]
    pages += [f"/match/{match.slug}/review/?at=20" for match in finished]
    pages += [f"/match/{finished[0].slug}/scores/", f"/people/{player.pk}/"]
    return Sample(player, pages, PAGES_OF_PLAYERS)
