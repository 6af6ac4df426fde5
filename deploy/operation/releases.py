"""Releases side by side: each has its own packages and static files, and ``current`` names the one that runs."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from deploy.operation.backups import create_backup
from deploy.operation.installation import Installation, Refused
from deploy.operation.services import restart_one_by_one, start_all

KEPT_RELEASES = 4
BUILT = ".built"  # a release without this file was not finished
# There while processes may run different releases. Contains "offline" if only the new one may run, otherwise "online".
ACTIVATING = ".activating"


def update(installation: Installation, ref: str | None) -> None:
    """Build a release next to the running one, then activate it with its own command."""
    with installation.locked():
        release = build(installation, fetch(installation, ref))
    program = release / "deploy" / "dominoes"
    if not program.exists():
        raise Refused(f"{release.name} is from before this command. Choose a newer one.")
    command = [sys.executable, str(program), "activate", release.name]
    sys.stdout.flush()
    os.execv(command[0], command)


def build_only(installation: Installation, ref: str | None) -> None:
    """Build a release, and print its name and the migrations that it needs."""
    with installation.locked():
        release = build(installation, fetch(installation, ref))
    print(f"Built: {release.name}")
    for migration, mode in pending_migrations(installation, release).items():
        print(f"Migration: {migration} {mode}")


def fetch(installation: Installation, ref: str | None) -> str:
    """Return the commit of a branch, a tag or a commit, by default of the newest on the main branch."""
    repository = installation.root / "repository"
    if not repository.exists():
        raise Refused(f"There is no {repository}. Run: git clone ADDRESS {repository}")
    git(repository, "fetch", "--quiet", "--tags", "--force", "origin")
    for name in (f"refs/remotes/origin/{ref or 'HEAD'}", *([ref] if ref else [])):
        try:
            return git(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        except Refused:
            continue
    raise Refused(f"The repository has no {ref or 'origin/HEAD'}.")


def git(repository: Path, *arguments: str) -> str:
    command = ["git", "-c", "safe.directory=*", "-C", str(repository), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"git {' '.join(arguments)} failed. {done.stderr.strip()}")
    return done.stdout.strip()


def build(installation: Installation, commit: str) -> Path:
    """Build a release with BUILD_COMMAND, unless that was done before."""
    repository = installation.root / "repository"
    release = installation.releases / git(repository, "log", "-1", "--format=%cs-%h", "--abbrev=12", commit)
    if (release / BUILT).exists():
        return release
    print(f"Building {release}", flush=True)
    os.umask(0o022)  # the proxy and the site's user read the files
    shutil.rmtree(release, ignore_errors=True)
    release.mkdir()
    archive = release / "source.tar"
    git(repository, "archive", f"--output={archive}", commit)
    subprocess.run(["tar", "--extract", f"--file={archive}"], cwd=release, check=True)
    archive.unlink()
    (release / "RELEASE").write_text(f"{release.name}\n")
    # The shell of the operator may name a proxy or a package index.
    environment = {**os.environ, **installation.environment(release, VAR_DIR=str(release / "build"))}
    # The site runs meanwhile.
    command = ["nice", *shlex.split(installation.settings["BUILD_COMMAND"])]
    if subprocess.run(command, cwd=release, env=environment, check=False).returncode:
        raise Refused(f"The release was not built. The site runs as before. To look into it: cd {release}")
    shutil.rmtree(release / "build", ignore_errors=True)
    (release / BUILT).touch()
    return release


def activate(installation: Installation, name: str) -> None:
    """Migrate the database to a release and run it in all processes."""
    release = finished_release(installation, name)
    with installation.locked():
        pending = pending_migrations(installation, release)
        current, marker = installation.root / "current", installation.root / ACTIVATING
        interrupted = marker.read_text() if marker.exists() else None
        if not pending and current.resolve() == release and interrupted is None:
            print(f"{name} already runs.")
            return
        if interrupted != "offline" and current.exists() and "offline" not in pending.values():
            activate_online(installation, release, list(pending))
        else:
            can_run = current.exists() and interrupted != "offline"
            activate_offline(installation, release, list(pending), old_release_can_run=can_run)
        marker.unlink()
        remove_old_releases(installation)
    print(f"{name} runs.")


def finished_release(installation: Installation, name: str) -> Path:
    release = installation.releases / name
    if not (release / BUILT).exists():
        raise Refused(f"{release} is not a finished release.")
    return release


def pending_migrations(installation: Installation, release: Path) -> dict[str, str]:
    """Return the migrations that a release needs, and whether the old release can run during each."""
    lines = installation.manage(release, "pending_migrations").splitlines()
    return dict(line.split(" ", 1) for line in lines)


def activate_online(installation: Installation, release: Path, pending: list[str]) -> None:
    """Migrate while the old release serves, then restart one process after the other."""
    backup_before(installation, pending)
    migrate(installation, release, pending, "The site runs as before.")
    switch_and_restart(installation, release)


def switch_and_restart(installation: Installation, release: Path) -> None:
    """Restart one process after the other with a release. Goes back to the old one if it does not start."""
    old = installation.release()
    links = [installation.root / name for name in ("current", "previous")]
    targets = [path.resolve() if path.exists() else None for path in links]
    (installation.root / ACTIVATING).write_text("online")
    switch(installation, release)
    try:
        restart_one_by_one(installation)
    except Refused as reason:
        print(f"{reason} Going back to {old.name}.", file=sys.stderr, flush=True)
        for path, target in zip(links, targets, strict=True):
            if target:
                link(path, target)
            else:
                path.unlink(missing_ok=True)
        restart_one_by_one(installation)
        (installation.root / ACTIVATING).unlink()
        raise Refused(f"{release.name} did not start. {old.name} runs as before.") from None


def activate_offline(
    installation: Installation, release: Path, pending: list[str], *, old_release_can_run: bool
) -> None:
    """Stop all processes while the database is migrated: the old release cannot run on the new schema."""
    is_first = not (installation.root / "current").exists()
    if not is_first:
        print("Stopping the site for the migrations", flush=True)
        installation.service("stop", *installation.units)
    try:
        backup = backup_before(installation, pending)
    except Refused:
        if old_release_can_run:
            start_all(installation)
        raise
    (installation.root / ACTIVATING).write_text("offline")
    way_back = f"To go back: dominoes restore {backup}. " if backup and not is_first else ""
    advice = f"The site is stopped. {way_back}To go on: dominoes update with a fixed version."
    migrate(installation, release, pending, advice)
    switch(installation, release)
    start_all(installation)


def backup_before(installation: Installation, pending: list[str]) -> Path | None:
    """Make a backup if there are migrations and a database."""
    file = installation.sqlite_file
    has_database = file is None or file.exists()
    return installation.as_user(create_backup, installation) if pending and has_database else None


def migrate(installation: Installation, release: Path, pending: list[str], advice: str) -> None:
    """Migrate the database. Raises Refused with advice."""
    if not pending:
        return
    print(f"Migrating: {', '.join(pending) if len(pending) < 10 else f'{len(pending)} migrations'}", flush=True)
    try:
        installation.manage(release, "migrate", "--no-input")
    except Refused as reason:
        raise Refused(f"{reason}\n{advice}") from None


def switch(installation: Installation, release: Path) -> None:
    """Point ``current`` to a release, and ``previous`` to the one before."""
    current = installation.root / "current"
    if current.exists() and current.resolve() != release:
        link(installation.root / "previous", current.resolve())
    link(current, release)


def link(path: Path, target: Path) -> None:
    """Replace a link in one step."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    new.symlink_to(target)
    new.replace(path)


def rollback(installation: Installation) -> None:
    """Go back to the release before. Raises Refused if a migration ran since."""
    with installation.locked():
        current, previous = installation.release(), installation.release("previous")
        applied = migrations_of(installation, current, only_applied=True)
        unknown = sorted(applied - migrations_of(installation, previous))
        if unknown:
            raise Refused(
                f"{previous.name} cannot run on this database: {', '.join(unknown)} ran since. Update to a fixed "
                "version, or lose all moves since the update: dominoes restore BACKUP --release "
                f"{previous.name} (backups: {installation.backups})."
            )
        switch_and_restart(installation, previous)
        (installation.root / ACTIVATING).unlink()
    print(f"{previous.name} runs again.")


def migrations_of(installation: Installation, release: Path, *, only_applied: bool = False) -> set[str]:
    """Return the migrations that a release knows, or those of them that the database has."""
    marks = ("[X]",) if only_applied else ("[X]", "[ ]")
    lines = installation.manage(release, "showmigrations", "--plan").splitlines()
    return {line[3:].split()[0] for line in lines if line.startswith(marks)}


def remove_old_releases(installation: Installation) -> None:
    """Delete all but the newest releases, never the one that runs or the one before."""
    used = {(installation.root / name).resolve() for name in ("current", "previous")}
    by_age = sorted(installation.releases.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for release in by_age[KEPT_RELEASES:]:
        if release not in used:
            shutil.rmtree(release)
