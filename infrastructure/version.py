"""The version of the running code."""

from __future__ import annotations

import subprocess
import tomllib
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from prometheus_client import Gauge

# The build of a release may write this file next to ``manage.py``. Without it, the commit of the checkout counts.
RELEASE_FILE = "RELEASE"
GIT_TIMEOUT_SECONDS = 5
BUILD_INFO = Gauge(
    "dominoes_build_info", "Version of the site and revision of its code; always 1", ["version", "revision"]
)


@lru_cache(maxsize=1)
def version() -> str:
    """Return the version of the project."""
    with (Path(settings.BASE_DIR) / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


@lru_cache(maxsize=1)
def revision() -> str:
    """Return the name of the release, or the commit of the checkout, or "unknown".

    Read once: an update may replace the files while the process runs.
    """
    return read_revision(Path(settings.BASE_DIR))


def read_revision(folder: Path) -> str:
    """Return the revision of the code in a folder."""
    release = folder / RELEASE_FILE
    if release.exists():
        return release.read_text(encoding="utf-8").strip() or "unknown"
    # The user of the service often does not own the checkout, which git would refuse to read.
    command = ["git", "-c", "safe.directory=*", "-C", str(folder), "rev-parse", "--short=12", "HEAD"]
    try:
        output = subprocess.run(command, capture_output=True, check=True, timeout=GIT_TIMEOUT_SECONDS)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return output.stdout.decode().strip()


def publish_build_info() -> None:
    """Set the metric of the running version."""
    BUILD_INFO.labels(version(), revision()).set(1)
