"""The processes of the site: rolling restarts, and their health."""

from __future__ import annotations

import http.client
import json
import re
import time
from typing import Any

from deploy.operation.installation import Installation, Refused

# The health of units without a port in their name.
PORTS = {"dominoes": 8000, "dominoes-clock": 9001}


def port_of(unit: str) -> int | None:
    """Return the port at which a process reports its health, None if it does not.

    >>> port_of("dominoes-web@8001"), port_of("dominoes-clock"), port_of("other")
    (8001, 9001, None)
    """
    match = re.search(r"@(\d+)", unit)
    return int(match[1]) if match else PORTS.get(unit)


def health(port: int) -> dict[str, Any]:
    """Return the report of a process, nothing if it does not answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        return {"status": answer.status, **json.load(answer)}
    except (OSError, http.client.HTTPException, ValueError):
        return {}
    finally:
        connection.close()


def wait_until_healthy(installation: Installation, unit: str) -> None:
    """Wait for a process that was just started. Raises Refused if it does not serve in time."""
    port = port_of(unit)
    deadline = time.monotonic() + float(installation.settings["HEALTH_SECONDS"])
    while port is not None and health(port).get("status") != 200:
        if time.monotonic() > deadline:
            raise Refused(f"{unit} does not serve. See: journalctl -u {unit}")
        time.sleep(0.2)


def restart_one_by_one(installation: Installation) -> None:
    """Restart each process and wait for it, so that the others serve meanwhile.

    Pages that lost their connection use another process, which is the next one to restart. Between two restarts they
    have time to return, so that no table waits for two of them.
    """
    for number, unit in enumerate(installation.units):
        if number:
            time.sleep(float(installation.settings["RESTART_PAUSE_SECONDS"]))
        print(f"Restarting {unit}", flush=True)
        installation.service("restart", unit)
        wait_until_healthy(installation, unit)


def start_all(installation: Installation) -> None:
    installation.service("start", *installation.units)
    for unit in installation.units:
        wait_until_healthy(installation, unit)
