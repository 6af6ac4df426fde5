"""The commands, settings and metrics in the pages about operation and monitoring exist."""

from __future__ import annotations

import re
import subprocess
from importlib import import_module
from pathlib import Path

from prometheus_client import REGISTRY

from deploy.operation.main import parser
from scripts import check_guide

DOCS = Path(__file__).parent.parent / "docs"
MONITORING = (DOCS / "monitoring.md").read_text()
PAGES = [DOCS / "operation.md", *sorted((DOCS / "operation").glob("*.md"))]
CODE = [Path(__file__).parent.parent / package for package in ("accounts", "domino_site", "games", "infrastructure")]


METRIC_MODULES = (
    "accounts.mail",
    "domino_site.monitoring",
    "games.broadcast.memory_layer",
    "games.broadcast.redis_layer",
    "games.heartbeat",
    "games.scheduler",
    "games.sockets.player",
    "games.sockets.table",
    "infrastructure.health",
    "infrastructure.version",
)
NOT_EVENTS = {"code", "host", "not_logged", "request_id"}  # fields of events


def test_documented_metrics_are_those_of_the_site() -> None:
    for module in METRIC_MODULES:
        import_module(module)
    names = {family.name + ("_total" if family.type == "counter" else "") for family in REGISTRY.collect()}
    documented = set(re.findall(r"`((?:dominoes|process)_[a-z_]+)(?:{[a-z,]+})?`", MONITORING))
    assert {name for name in names if name.startswith("dominoes_")} == {
        name for name in documented if name.startswith("dominoes_")
    }
    assert documented <= names


def test_documented_labels_are_those_of_the_metrics() -> None:
    for module in METRIC_MODULES:
        import_module(module)
    collectors = {
        name: set(getattr(collector, "_labelnames", ()))
        for collector, names in REGISTRY._collector_to_names.items()
        for name in names
    }
    documented = re.findall(r"`(dominoes_[a-z_]+){([a-z,]+)}`", MONITORING)
    assert {name: set(labels.split(",")) for name, labels in documented} == {
        name: collectors[name] for name, _labels in documented
    }


def test_every_error_in_the_log_is_documented() -> None:
    code = "".join(path.read_text() for folder in CODE for path in folder.rglob("*.py"))
    errors = set(re.findall(r'log(?:ger)?\.(?:error|exception|critical)\(\s*"([a-z_]+)"', code))
    documented = set(re.findall(r"`([a-z_]+)`", MONITORING.partition("| event |")[2]))
    assert len(errors) > 20
    assert errors - documented == set()
    assert [event for event in documented if f'"{event}"' not in code and event not in NOT_EVENTS] == []


def test_blocks_of_commands_are_complete() -> None:
    """``make guide`` runs them on new machines."""
    path = [text for _title, text in check_guide.blocks(["operation"])]
    assert path[0].splitlines() == [f"{name}={value}" for name, value in check_guide.VALUES.items()]
    blocks = list(check_guide.blocks(check_guide.PAGES))
    assert len(blocks) > len(path) > 10
    for title, text in blocks:
        check = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True, check=False)
        assert check.stderr == "", title


def heading_anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_of_the_guide_lead_somewhere() -> None:
    for page in PAGES:
        links = re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]+))?\)", page.read_text())
        for path, anchor in links:
            target = page.parent / path if path else page
            assert target.exists(), f"{page.name}: {path}"
            assert not anchor or anchor in heading_anchors(target), f"{page.name}: {path}#{anchor}"


def test_commands_and_metrics_of_the_guide_exist() -> None:
    text = "".join(page.read_text() for page in PAGES)
    commands = set(re.findall(r"^    ([a-z]+) ", parser().format_help(), re.MULTILINE))
    named = set(re.findall(r"(?:`|^ *|deploy/)dominoes ([a-z]+)", text, re.MULTILINE))
    assert "update" in named
    assert named <= commands
    metrics = set(re.findall(r"`(?:rate\()?((?:dominoes|process)_[a-z_]+)", text)) - {"process_cpu_seconds_total"}
    assert {name for name in metrics if name not in MONITORING} == set()
