"""Checks of a running site. Each problem comes with a sentence that says how to solve it."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from deploy.operation.backups import all_backups
from deploy.operation.installation import Installation, Refused
from deploy.operation.releases import ACTIVATING
from deploy.operation.services import health, port_of

OTHERS_PERMISSIONS = 0o077
READERS_PERMISSIONS = 0o027  # the group may read the settings
MIN_FREE_SHARE = 0.1
MAX_BACKUP_HOURS = 30
MIN_CERTIFICATE_DAYS = 14
DAY_SECONDS = 24 * 3600
# Where copies of the files of the kit are installed.
INSTALLED = {"nginx/nginx.conf": "/etc/nginx/nginx.conf", "systemd/*": "/etc/systemd/system"}

Check = Callable[[Installation], Iterator[str]]


def check(installation: Installation, mail_address: str | None = None) -> int:
    """Print what is in order and what to do, and return the number of faults."""
    faults = 0
    for name, find_faults in (CHECKS | ({"mail": mail_check(mail_address)} if mail_address else {})).items():
        try:
            sentences = list(find_faults(installation))
        except Refused as reason:
            sentences = [str(reason)]
        faults += len(sentences)
        print(*(f"FAULT {name}: {sentence}" for sentence in sentences) if sentences else [f"ok    {name}"], sep="\n")
    return faults


def check_permissions(installation: Installation) -> Iterator[str]:
    settings = Path(installation.settings["DOMINOES_SETTINGS"])
    user = installation.user
    for path, forbidden, mode in (
        (settings, READERS_PERMISSIONS, "640"),
        (installation.var, OTHERS_PERMISSIONS, "700"),
        (installation.backups, OTHERS_PERMISSIONS, "700"),
    ):
        if path.exists() and path.stat().st_mode & forbidden:
            yield f"{path} can be read or changed by others. Run: chmod {mode} {path}"
    for folder in (installation.var, installation.backups):
        if folder.exists() and folder.stat().st_uid != user.pw_uid:
            yield f"{folder} belongs to another user. Run: chown -R {user.pw_name}: {folder}"


def check_disk(installation: Installation) -> Iterator[str]:
    for folder in {installation.root, installation.var, installation.backups}:
        if folder.exists():
            usage = shutil.disk_usage(folder)
            if usage.free < usage.total * MIN_FREE_SHARE:
                yield f"The disk of {folder} has {usage.free / usage.total:.0%} left. Delete something or enlarge it."


def check_backups(installation: Installation) -> Iterator[str]:
    newest = all_backups(installation)[-1:]
    if not newest:
        yield f"There is no backup in {installation.backups}. Run: systemctl enable --now dominoes-backup.timer"
    elif (hours := (time.time() - newest[0].stat().st_mtime) / 3600) > MAX_BACKUP_HOURS:
        yield f"The last backup is {hours:.0f} hours old. See: journalctl -u dominoes-backup"


def check_time(installation: Installation) -> Iterator[str]:
    try:
        command = ["timedatectl", "show", "--property=NTPSynchronized", "--value"]
        answer = subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:
        answer = ""
    if answer != "yes":
        yield "The clock of the machine is not synchronised. Run: apt-get install chrony"


def check_processes(installation: Installation) -> Iterator[str]:
    for unit in installation.units:
        port = port_of(unit)
        if port is None:
            continue
        report = health(port)
        if not report:
            yield f"{unit} does not answer. Run: systemctl status {unit}"
        if report.get("database") is False:
            yield f"{unit} does not reach the database. Run: systemctl status postgresql"
        if report.get("layer") is False:
            yield f"{unit} does not reach Redis. Run: systemctl status redis-server"
        if report.get("clock") is False:
            yield f"{unit} sees no clock, so deadlines and bots stand still. Run: systemctl status dominoes-clock"


def check_release(installation: Installation) -> Iterator[str]:
    release = installation.release()
    if (installation.root / ACTIVATING).exists():
        yield "The last update was interrupted. Run it again: dominoes update"
    if pending := installation.manage(release, "pending_migrations").split("\n")[:-1]:
        yield f"{len(pending)} migrations are missing. Run: dominoes manage migrate"
    for pattern, place in INSTALLED.items():
        for path in sorted((release / "deploy").glob(pattern)):
            installed = Path(place) / path.name if Path(place).is_dir() else Path(place)
            content = installed.read_bytes() if installed.exists() else b""
            if b"dominoes" in content and content != path.read_bytes():
                yield f"{installed} is not the file of this release. Compare, then: cp {path} {installed}"


def check_certificate(installation: Installation) -> Iterator[str]:
    """Ask the proxy of this machine for its certificate, as browsers see it."""
    host = installation.settings.get("ALLOWED_HOSTS", "").split(",")[0].strip()
    port = urlsplit(installation.settings.get("SITE_URL", "")).port or 443
    try:
        with (
            socket.create_connection(("localhost", port), timeout=5) as line,
            ssl.create_default_context().wrap_socket(line, server_hostname=host) as secured,
        ):
            certificate = secured.getpeercert() or {}
    except ssl.SSLCertVerificationError as error:
        yield f"Browsers do not accept the certificate of {host} ({error.verify_message}). Run: certbot renew"
        return
    except OSError as error:
        yield f"The proxy does not answer at port {port} ({error}). Run: systemctl status nginx"
        return
    days = (ssl.cert_time_to_seconds(str(certificate["notAfter"])) - time.time()) / DAY_SECONDS
    if days < MIN_CERTIFICATE_DAYS:
        yield f"The certificate of {host} ends in {days:.0f} days. Run: certbot renew"


def check_settings(installation: Installation) -> Iterator[str]:
    """Look for settings that the site starts without, but that operators miss later."""
    for name, consequence in {
        "VAPID_PRIVATE_KEY": "the site offers no notifications. Run: dominoes manage vapid",
        "METRICS_TOKEN": "Prometheus cannot watch the site. Choose a long random word",
        "DEFAULT_FROM_EMAIL": "mail comes from dominoes@localhost. Write an address of your domain",
        "BEHIND_PROXY": "all visitors count as one address. Write BEHIND_PROXY=1",
    }.items():
        if not installation.settings.get(name):
            yield f"{name} is not set: {consequence}."


def mail_check(address: str) -> Check:
    """Return a check that sends a mail."""

    def send_mail(installation: Installation) -> Iterator[str]:
        installation.manage(installation.release(), "check_mail", address)
        yield from ()

    return send_mail


CHECKS: dict[str, Check] = {
    "permissions": check_permissions,
    "settings": check_settings,
    "release": check_release,
    "processes": check_processes,
    "disk": check_disk,
    "backups": check_backups,
    "time": check_time,
    "certificate": check_certificate,
}
