"""The command line of ``dominoes``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from deploy.operation import backups, releases
from deploy.operation.checks import check
from deploy.operation.installation import Installation, Refused
from deploy.operation.services import start_all


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        return int(options.run(Installation.read(os.environ), options) or 0)
    except Refused as reason:
        print(f"dominoes: {reason}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def parser() -> argparse.ArgumentParser:
    """Return the parser. Each command sets ``run`` to its function."""
    program = argparse.ArgumentParser(prog="dominoes", description="Operate Dominoes online.")
    commands = program.add_subparsers(required=True, metavar="COMMAND")
    manage = commands.add_parser("manage", help="run manage.py with the user and the settings of the site")
    manage.add_argument("arguments", nargs=argparse.REMAINDER)
    manage.set_defaults(run=run_manage)
    update = commands.add_parser("update", help="build a release, migrate and restart the processes one by one")
    update.add_argument("ref", nargs="?", help="a branch, tag or commit; the newest of the main branch by default")
    update.set_defaults(run=lambda installation, options: releases.update(installation, options.ref))
    build = commands.add_parser("build", help="build a release without running it, and list the migrations it needs")
    build.add_argument("ref", nargs="?", help="a branch, tag or commit; the newest of the main branch by default")
    build.set_defaults(run=lambda installation, options: releases.build_only(installation, options.ref))
    activate = commands.add_parser("activate", help="run a release that is already built")
    activate.add_argument("release", help="the name of a folder in releases/")
    activate.set_defaults(run=lambda installation, options: releases.activate(installation, options.release))
    rollback = commands.add_parser("rollback", help="go back to the release before, if no migration ran since")
    rollback.set_defaults(run=lambda installation, options: releases.rollback(installation))
    backup = commands.add_parser("backup", help="back up the database while the site runs, and delete old backups")
    backup.add_argument("--test", action="store_true", help="then restore it elsewhere, and replay all its matches")
    backup.set_defaults(run=run_backup)
    restore = commands.add_parser("restore", help="stop the site, replace the database by a backup, and start it")
    restore.add_argument("file", type=Path)
    restore.add_argument("--release", help="also run this release, which the backup belongs to")
    restore.add_argument("--discard", action="store_true", help="do not back up the present database first")
    restore.set_defaults(run=run_restore)
    checks = commands.add_parser("check", help="print what is not in order, and what to do")
    checks.add_argument("--mail", metavar="ADDRESS", help="also send a mail there")
    checks.set_defaults(run=lambda installation, options: bool(check(installation, options.mail)))
    return program


def run_manage(installation: Installation, options: argparse.Namespace) -> None:
    installation.exec_manage(options.arguments)


def run_backup(installation: Installation, options: argparse.Namespace) -> None:
    installation.become_user()
    file = backups.create_backup(installation)
    backups.delete_old_backups(installation)
    if options.test:
        backups.test_backup(installation, file)


def run_restore(installation: Installation, options: argparse.Namespace) -> None:
    """Restore a backup. The site stays stopped if that fails."""
    file = options.file.resolve()
    installation.as_user(backups.check_backup, installation, file)
    with installation.locked():
        named = options.release
        release = releases.finished_release(installation, named) if named else installation.release()
        installation.service("stop", *installation.units)
        try:
            installation.as_user(backups.restore, installation, file, release, discard=options.discard)
        except Refused as reason:
            raise Refused(f"{reason}\nThe site is stopped. To start it: dominoes restore another backup.") from None
        releases.switch(installation, release)
        start_all(installation)
        (installation.root / releases.ACTIVATING).unlink(missing_ok=True)
    print(f"Restored: {file}")
