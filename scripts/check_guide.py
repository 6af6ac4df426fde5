"""Follow docs/operation.md on empty machines: ``scripts/check_guide.py [--only debian12] [--folder DIR]``.

Needs root, debootstrap and systemd-container, and about 3 GB a system. Each machine is a container of its own with
systemd. It runs every command in a block that begins with ```sh of the pages below, word for word, then checks the
site. Only these are different: the values of the first block, a certbot that signs certificates itself after it
fetched its proof through the proxy, and the answers to questions. Ports are those of this machine, so nothing else may
listen at 80, 443, 5432, 6379, 8001 to 8003, 9001, 9090, 9093 and 9100.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
# The path from an empty machine comes first. The others follow on the same machine, in this order.
PAGES = ("operation", "backups", "incidents", "updates", "scaling")
INSIDE = Path(__file__).parent / "guide"  # what runs in the machine
DEBIAN, UBUNTU = "http://deb.debian.org/debian", "http://archive.ubuntu.com/ubuntu"
UBUNTU_KEYS = "/usr/share/keyrings/ubuntu-archive-keyring.gpg"
# Where this machine finds certificates and mirrors.
PASSED_ON = re.compile(
    r"(PIP|UV|NPM_CONFIG)_.*(INDEX_URL|REGISTRY)|.*_CERT|.*_PROXY|(SSL_CERT|NODE_EXTRA_CA|.*CA_BUNDLE).*", re.I
)
LOCAL_AUTHORITIES = Path("/usr/local/share/ca-certificates")
VALUES = {"DOMAIN": "dominoes.test", "REPOSITORY": "/srv/guide/repository", "EMAIL_URL": "smtp://127.0.0.1:25"}
LIMIT_SECONDS = 3600
CACHES = {"PIP_CACHE_DIR": "pip", "UV_CACHE_DIR": "uv", "NPM_CONFIG_CACHE": "npm"}
UNIT = """
[Unit]
After=multi-user.target
[Service]
ExecStart=/bin/bash /srv/guide/run.sh
ExecStopPost=/bin/systemctl --no-block poweroff
StandardOutput=append:/srv/guide/log
StandardError=inherit
EnvironmentFile=/srv/guide/environment
[Install]
WantedBy=default.target
"""


@dataclass(frozen=True)
class System:
    suite: str
    mirror: str
    options: tuple[str, ...] = ()
    components: str = "main"


SYSTEMS = {
    "debian12": System("bookworm", DEBIAN),
    "debian13": System("trixie", DEBIAN),
    "ubuntu2404": System("noble", UBUNTU, (f"--keyring={UBUNTU_KEYS}",), "main,universe"),
}


def main() -> int:
    options = arguments()
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    failures = []
    for name in options.only or SYSTEMS:
        began = time.monotonic()
        machine = new_machine(folder, name, options.pages)
        boot(folder, machine)
        is_ready = (machine / "srv/guide/passed").exists()
        print(f"{name}: {'passed' if is_ready else 'FAILED'} in {time.monotonic() - began:.0f} s", flush=True)
        print(report(machine, is_ready), flush=True)
        failures += [] if is_ready else [name]
    return len(failures)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Follow docs/operation.md on empty machines.")
    parser.add_argument("--only", nargs="+", choices=SYSTEMS)
    parser.add_argument("--pages", nargs="+", choices=PAGES, default=PAGES)
    parser.add_argument("--folder", type=Path, default=ROOT / "var" / "guide", help="of the machines and the caches")
    return parser.parse_args()


def new_machine(folder: Path, name: str, pages: Sequence[str]) -> Path:
    """Return the folder of a new machine: what debootstrap installs, systemd, and the commands of the guide."""
    base, machine = folder / f"{name}.base", folder / name
    if not base.exists():
        install_base(SYSTEMS[name], base)
    if machine.exists():
        shutil.rmtree(machine)
    subprocess.run(["cp", "--archive", base, machine], check=True)
    (machine / "etc/hosts").write_text(f"127.0.0.1 localhost {VALUES['DOMAIN']}\n::1 localhost\n")
    if LOCAL_AUTHORITIES.exists():
        shutil.copytree(LOCAL_AUTHORITIES, machine / LOCAL_AUTHORITIES.relative_to("/"), dirs_exist_ok=True)
    inside = machine / "srv/guide"
    shutil.copytree(INSIDE, inside)
    shutil.copy(inside / "certbot", machine / "usr/local/sbin/certbot")
    subprocess.run(["git", "clone", "--quiet", "--bare", ROOT, inside / "repository"], check=True)
    write_blocks(inside / "blocks", pages)
    passed_on = {variable: value for variable, value in os.environ.items() if PASSED_ON.fullmatch(variable)}
    environment = {"HOME": "/root", **passed_on, **{name: f"/cache/{path}" for name, path in CACHES.items()}}
    (inside / "environment").write_text("".join(f"{key}={value}\n" for key, value in environment.items()))
    (machine / "etc/systemd/system/guide.service").write_text(UNIT)
    subprocess.run(["systemctl", f"--root={machine}", "--quiet", "enable", "guide.service"], check=True)
    return machine


def install_base(system: System, base: Path) -> None:
    script = Path("/usr/share/debootstrap/scripts") / system.suite
    ubuntu_script = [] if script.exists() else [str(script.with_name("gutsy"))]  # the script of all versions of Ubuntu
    new = base.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    command = [
        "debootstrap",
        "--variant=minbase",
        "--include=systemd-sysv,dbus",
        f"--components={system.components}",
        *system.options,
        system.suite,
        str(new),
        system.mirror,
        *ubuntu_script,
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    new.rename(base)


def write_blocks(folder: Path, pages: Sequence[str]) -> None:
    """Write each block of commands into a file, in the order of the pages."""
    folder.mkdir()
    for number, (title, text) in enumerate(blocks(pages)):
        (folder / f"{number:02} {title}").write_text(text)


def blocks(pages: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the blocks of commands of pages, each with the page and its first line."""
    for name in pages:
        page = (ROOT / "docs" / ("operation.md" if name == "operation" else f"operation/{name}.md")).read_text()
        for match in re.finditer(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
            text = re.sub(r"^([A-Z_]+)=.*$", own_value, match[1], flags=re.MULTILINE)
            line = page.count("\n", 0, match.start()) + 1
            yield f"{name}, line {line}", text


def own_value(match: re.Match[str]) -> str:
    return f"{match[1]}={VALUES[match[1]]}" if match[1] in VALUES else match[0]


def boot(folder: Path, machine: Path) -> None:
    """Start the machine and wait until it stops itself, after all commands."""
    archives = folder / "cache" / machine.name
    for path in (archives, *(folder / "cache" / name for name in CACHES.values())):
        path.mkdir(parents=True, exist_ok=True)
    command = [
        "systemd-nspawn",
        "--quiet",
        "--boot",
        "--keep-unit",
        "--register=no",
        f"--directory={machine}",
        f"--bind={folder / 'cache'}:/cache",
        f"--bind={archives}:/var/cache/apt/archives",
        "--resolv-conf=copy-host",
    ]
    # Recent versions of systemd need a unified hierarchy.
    environment = {**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
    with (folder / f"{machine.name}.console").open("wb") as console:
        subprocess.run(
            command, env=environment, check=False, stdin=subprocess.DEVNULL, stdout=console, timeout=LIMIT_SECONDS
        )


def report(machine: Path, is_ready: bool) -> str:
    """Return the figures of a machine that works, otherwise the end of its log."""
    log = machine / "srv/guide/log"
    if is_ready:
        return (machine / "srv/guide/figures").read_text()
    return (
        "\n".join(log.read_text(errors="replace").splitlines()[-40:]) if log.exists() else "The machine did not start."
    )


if __name__ == "__main__":
    sys.exit(main())
