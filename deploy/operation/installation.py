"""Where the site is installed, and how its programs run: user, settings, folders."""

from __future__ import annotations

import fcntl
import os
import pwd
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

SETTINGS_FILE = "/etc/dominoes.env"
DEFAULTS = {
    "DOMINOES_ROOT": "/srv/dominoes",
    "DOMINOES_USER": "dominoes",
    "VAR_DIR": "/var/lib/dominoes",
    "UNITS": "dominoes-web@8001 dominoes-web@8002 dominoes-clock",
    "SERVICE_COMMAND": "systemctl {action} {units}",
    "BUILD_COMMAND": "make release",
    "BACKUP_DAYS": "14",
    "HEALTH_SECONDS": "90",
    "RESTART_PAUSE_SECONDS": "5",
}
# What programs of the site get from the shell of an operator.
INHERITED = ("PATH", "LANG", "LC_ALL", "TERM", "HOME", "TMPDIR")

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Refused(Exception):
    """A sentence that says why the command did nothing, or what to do next."""


@dataclass(frozen=True)
class Installation:
    settings: Mapping[str, str]

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Installation:
        """Read the settings file. Other variables of the caller's shell must not change what is operated on."""
        path = Path(environment.get("DOMINOES_SETTINGS", SETTINGS_FILE))
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise Refused(f"There is no {path}. Copy deploy/dominoes.env.example there and fill it in.") from None
        except PermissionError:
            raise Refused(f"You may not read {path}. Run the command as root.") from None
        return cls({**DEFAULTS, "DOMINOES_SETTINGS": str(path), **parse_settings(text, path)})

    @property
    def root(self) -> Path:
        return Path(self.settings["DOMINOES_ROOT"]).resolve()

    @property
    def releases(self) -> Path:
        return self.root / "releases"

    @property
    def var(self) -> Path:
        return Path(self.settings["VAR_DIR"])

    @property
    def backups(self) -> Path:
        return Path(self.settings.get("BACKUP_DIR", str(self.var / "backups")))

    @property
    def units(self) -> list[str]:
        return self.settings["UNITS"].split()

    @property
    def database_url(self) -> str:
        """The address for backups and restores."""
        return self.settings.get("BACKUP_DATABASE_URL") or self.settings.get("DATABASE_URL", "")

    @property
    def sqlite_file(self) -> Path | None:
        """The database file, or None if the site uses PostgreSQL."""
        if not self.database_url:
            return self.var / "dominoes.sqlite3"
        prefix, _, path = self.database_url.partition("///")
        return Path("/" + path.lstrip("/")) if prefix == "sqlite:" else None

    @cached_property
    def user(self) -> pwd.struct_passwd:
        name = self.settings["DOMINOES_USER"]
        try:
            return pwd.getpwnam(name)
        except KeyError:
            raise Refused(f"There is no user {name}. Run: useradd --system --home-dir {self.var} {name}") from None

    def release(self, link: str = "current") -> Path:
        """Return the real folder of a release, so that a running process never sees the files of another one."""
        path = self.root / link
        if not path.exists():
            raise Refused(f"{path} does not exist. Run: dominoes update")
        return path.resolve()

    def environment(self, release: Path, **changes: str) -> dict[str, str]:
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        folders = {"VAR_DIR": str(self.var), "STATIC_DIR": str(release / "staticfiles")}
        return {**inherited, **self.settings, **folders, **changes}

    def manage(self, release: Path, *arguments: str, **changes: str) -> str:
        """Run ``manage.py`` as the site's user and return what it prints. Raises Refused with its errors."""
        must_switch = self.must_switch_user()
        done = subprocess.run(
            manage_command(release, *arguments),
            cwd=release,
            env=self.environment(release, **{"HOME": str(self.var), **changes}),
            check=False,
            capture_output=True,
            text=True,
            umask=0o077,
            user=self.user.pw_uid if must_switch else None,
            group=self.user.pw_gid if must_switch else None,
            extra_groups=[] if must_switch else None,
        )
        if done.returncode:
            raise Refused(f"manage.py {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return str(done.stdout)

    def exec_manage(self, arguments: list[str]) -> None:
        """Become ``manage.py``, as the site's user."""
        release = self.release()
        self.become_user()
        os.chdir(release)
        os.umask(0o077)
        command = manage_command(release, *arguments)
        os.execve(command[0], command, self.environment(release, HOME=str(self.var)))

    def must_switch_user(self) -> bool:
        """Return False if this is the site's user already. Raises Refused for others except root."""
        self.create_var()
        if os.geteuid() == self.user.pw_uid:
            return False
        if os.geteuid() != 0:
            raise Refused(f"Run this command as root or as {self.user.pw_name}.")
        return True

    def become_user(self) -> None:
        if self.must_switch_user():
            os.initgroups(self.user.pw_name, self.user.pw_gid)
            os.setgid(self.user.pw_gid)
            os.setuid(self.user.pw_uid)
        os.environ["HOME"] = str(self.var)

    def as_user(
        self, work: Callable[Parameters, Result], *arguments: Parameters.args, **options: Parameters.kwargs
    ) -> Result:
        """Run a function as the site's user, who could mislead root by links in the folders of the site."""
        if not self.must_switch_user():
            return work(*arguments, **options)
        with ProcessPoolExecutor(1, get_context("fork"), self.become_user) as pool:
            return pool.submit(work, *arguments, **options).result()

    def create_var(self) -> None:
        if os.geteuid() == 0 and not self.var.exists():
            self.var.mkdir(mode=0o700, parents=True)
            os.chown(self.var, self.user.pw_uid, self.user.pw_gid)

    def service(self, action: str, *units: str) -> None:
        """Start, stop or restart units with SERVICE_COMMAND. Raises Refused if that fails."""
        command = self.settings["SERVICE_COMMAND"].format(action=action, units=" ".join(units))
        if subprocess.run(shlex.split(command), check=False).returncode:
            raise Refused(f"Failed: {command}")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Let one command at a time change the installation."""
        try:
            self.releases.mkdir(parents=True, exist_ok=True)
            lock = (self.root / ".lock").open("w")
        except PermissionError:
            raise Refused("Run this command as root.") from None
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Refused("Another dominoes command is running. Wait for its end.") from None
            yield


def manage_command(release: Path, *arguments: str) -> list[str]:
    python = release / ".venv" / "bin" / "python"
    if not python.exists():
        raise Refused(f"{release} has no packages. Run: dominoes update")
    return [str(python), str(release / "manage.py"), *arguments]


def parse_settings(text: str, path: Path) -> dict[str, str]:
    """Parse lines of NAME=value, with comments, as systemd reads them."""
    settings = {}
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if not line or line[0] in "#;":
            continue
        name, equals, value = line.partition("=")
        if not equals or not name.strip().isidentifier():
            raise Refused(f"{path}, line {number}: write NAME=value.")
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        settings[name.strip()] = value
    return settings
