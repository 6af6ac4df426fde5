"""The units in deploy/systemd/."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.programs import ROOT

UNITS = ROOT / "deploy" / "systemd"
SERVICES = sorted(UNITS.glob("*.service"))
# What every service of the site must have.
HARDENING = {
    "User": "dominoes",
    "UMask": "0077",
    "StateDirectoryMode": "0700",
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "CapabilityBoundingSet": "",
    "SystemCallArchitectures": "native",
}


def service_options(path: Path) -> dict[str, str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # keeps capitals
    parser.read(path)
    return dict(parser["Service"])


def test_every_service_may_write_its_own_folder_alone() -> None:
    assert len(SERVICES) == 4
    for path in SERVICES:
        options = service_options(path)
        assert options.items() >= HARDENING.items(), path.name
        assert "ReadWritePaths" not in options


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_units_are_valid(tmp_path: Path) -> None:
    """A copy runs another command, because systemd-analyze looks for the installed one."""
    for path in UNITS.iterdir():
        (tmp_path / path.name).write_text(path.read_text().replace("/usr/local/bin/dominoes", "/bin/true"))
    units = [str(path).replace("@.", "@8001.") for path in tmp_path.iterdir()]
    (tmp_path / "dominoes-web@8001.service").symlink_to(tmp_path / "dominoes-web@.service")
    check = subprocess.run(["systemd-analyze", "verify", *units], check=False, capture_output=True, text=True)
    own_lines = [line for line in check.stderr.splitlines() if str(tmp_path) in line or "dominoes" in line]
    assert own_lines == []
    assert check.returncode == 0, check.stderr
