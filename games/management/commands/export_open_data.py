"""``manage.py export_open_data``: make the open data of a month that is over, or check it."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.open_data import months
from games.open_data.checks import folder_faults
from games.open_data.export import export_month
from games.open_data.files import folder_of_month, month_name


class Command(BaseCommand):
    help = (
        "Make the open data of a month that is over, as the clock does on the second day of the next one. With "
        "--check, decide every match in the files again and check the sums."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("month", help="such as 2026-10")
        parser.add_argument("--again", action="store_true", help="replace the files of the month; all codes change")
        parser.add_argument("--check", action="store_true", help="only check the files that exist")

    def handle(self, *, month: str, again: bool, check: bool, **options: Any) -> None:
        first = read_month(month)
        if check:
            self.check_files(first)
        else:
            self.make_files(first, again=again)

    def make_files(self, month: date, *, again: bool) -> None:
        now = timezone.now()
        if not months.is_over(month, now):
            raise CommandError(f"{month_name(month)} is not over.")
        leased_until = months.lease_month(month, now, again=again)
        if leased_until is None:
            raise CommandError("The files exist (replace them with --again), or a process is making them.")
        try:
            for file in export_month(month, leased_until):
                self.stdout.write(f"{file.name}: {file.size} bytes, {file.lines} lines")
        except (months.LeaseLost, OSError) as error:
            raise CommandError(f"The files were not made. {error}") from error
        self.stdout.write(f"{folder_of_month(month)}")

    def check_files(self, month: date) -> None:
        try:
            faults = list(folder_faults(folder_of_month(month)))
        except OSError as error:
            raise CommandError(str(error)) from error
        for fault in faults:
            self.stdout.write(fault)
        if faults:
            raise CommandError("The files are not in order.")
        self.stdout.write("All sums hold, and all matches replay.")


def read_month(text: str) -> date:
    try:
        return date.fromisoformat(f"{text}-01")
    except ValueError:
        raise CommandError(f"{text} is not a month. Write it like 2026-10.") from None
