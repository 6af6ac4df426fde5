"""``manage.py check_puzzles``: judge the stored puzzles again with new samples."""

from __future__ import annotations

from secrets import token_hex
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Puzzle
from games.puzzles import first_puzzles, puzzle_from_data
from games.puzzles.judging import check_puzzle
from games.words import offered_variants

SAMPLES = 480  # possible positions for each judge, twice as many as a search uses


class Command(BaseCommand):
    help = (
        "Judge all stored puzzles again, by bots that play to the end of the round. The solution has to beat every "
        "other move by four standard errors, also if some of the later moves are random."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", choices=list(offered_variants()), help="only puzzles of this game")
        parser.add_argument("--samples", type=int, default=SAMPLES, help="possible positions for each judge, at most")
        parser.add_argument("--seed", default="", help="repeat a check")
        parser.add_argument(
            "--shipped", action="store_true", help="those that come with the site instead of the stored"
        )

    def handle(self, *, game: str | None, samples: int, seed: str, shipped: bool, **options: Any) -> None:
        seed = seed or token_hex(4)
        count = failed = 0
        for variant in [game] if game else offered_variants():
            rows = [(number, puzzle) for number, puzzle in enumerate(first_puzzles(variant), 1)]
            if not shipped:
                stored = Puzzle.objects.filter(variant=variant).order_by("number").values_list("number", "data")
                rows = [(number, puzzle_from_data(data)) for number, data in stored]
            for number, puzzle in rows:
                judgements = check_puzzle(puzzle, f"{seed} {variant} {number}", samples)
                holds = all(judgement.holds for judgement in judgements.values())
                margins = ", ".join(
                    f"{judge} {judgement.margin.points:.1f} ± {judgement.margin.error:.1f}"
                    for judge, judgement in judgements.items()
                )
                self.stdout.write(f"{variant} {number} {puzzle.moves[0].move}: {margins}{'' if holds else ', FAILED'}")
                count, failed = count + 1, failed + (not holds)
        self.stdout.write(f"Puzzles checked: {count}, failed: {failed}. Seed: {seed}.")
        if failed:
            raise CommandError("Some solutions are not clearly best.")
