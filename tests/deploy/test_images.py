"""The images and the compose file in deploy/, as far as they can be checked without Docker."""

from __future__ import annotations

import re
from typing import Any

import yaml

from tests.programs import ROOT

DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text()
ONE_SHOT = {"migrate"}
WITHOUT_HEALTH = {"backup"}  # its result is a metric
PROCESSES = ("web-1", "web-2", "clock")


def stages() -> dict[str, str]:
    """Return the instructions of each stage of the Dockerfile, by its name."""
    parts = re.split(r"^FROM \S+ AS (\w+)$", DOCKERFILE, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())


def test_stages_copy_from_earlier_stages_and_from_files_that_exist() -> None:
    names = list(stages())
    for position, text in enumerate(stages().values()):
        for source in re.findall(r"--from=(\w+)", text):
            assert source in names[:position]
    sources = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    assert len(sources) > 3
    assert [name for line in sources for name in line.split() if not (ROOT / name).exists()] == []


def test_site_runs_without_rights_and_is_checked() -> None:
    site = stages()["site"]
    user = re.findall(r"^USER (\w+)$", site, re.MULTILINE)[-1]
    assert f"--uid 10001 --home-dir /var/lib/dominoes {user}" in site
    assert all("HEALTHCHECK" in stages()[name] for name in ("site", "proxy"))


def test_images_have_no_secret() -> None:
    assert not re.search(r"^(ENV|ARG).*(SECRET|PASSWORD|TOKEN|KEY)", DOCKERFILE, re.MULTILINE)
    ignored = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text().split()
    assert {".git", "var", "deploy/dominoes.env", "deploy/.env"} <= set(ignored)


def test_health_of_every_service_is_checked() -> None:
    services = compose()["services"]
    built = {service["build"]["target"] for service in services.values() if "build" in service}
    assert built == {"site", "proxy"}
    for name, service in services.items():
        has_check = "healthcheck" in service or "HEALTHCHECK" in stages().get(
            service.get("build", {}).get("target"), ""
        )
        assert has_check or name in WITHOUT_HEALTH, name
        assert service.get("restart") == (None if name in ONE_SHOT else "unless-stopped"), name


def test_processes_start_after_the_migrations() -> None:
    services = compose()["services"]
    for name in PROCESSES:
        needs = services[name]["depends_on"]
        assert needs["migrate"]["condition"] == "service_completed_successfully"
        assert needs["redis"]["condition"] == "service_healthy"
    for service in services.values():
        assert service.get("depends_on", {}).keys() <= services.keys()


def test_proxy_knows_the_addresses_of_the_web_processes() -> None:
    data = compose()
    web = {data["services"][name]["networks"]["default"]["ipv4_address"] for name in PROCESSES[:2]}
    upstream = re.findall(r"^server (\S+):8000 max_fails=0;$", data["configs"]["upstream"]["content"], re.MULTILINE)
    assert set(upstream) == web
    assert len(upstream) == 2


def test_clock_is_checked_at_its_own_port() -> None:
    clock = compose()["services"]["clock"]
    assert clock["environment"]["HEALTH_PORT"] == clock["command"][-1]
    assert clock["environment"].items() >= compose()["x-site"]["environment"].items()


def test_volumes_that_services_use_are_defined() -> None:
    data = compose()
    named = {
        volume.partition(":")[0]
        for service in data["services"].values()
        for volume in service.get("volumes", [])
        if re.match(r"\w+:", volume)
    }
    assert named == data["volumes"].keys()
