"""The alert rules and the dashboard in deploy/."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import yaml

from benchmarks.alerts import BREAKS
from deploy.operation.services import PORTS
from tests.programs import MANAGE_COMMAND, ROOT

FOLDER = ROOT / "deploy" / "prometheus"
RULES = FOLDER / "dominoes-rules.yml"
SELECTOR = re.compile(r"\b((?:dominoes|process)_[a-z_]+)(?:{(.*?)})?")


# Imports what a process with Redis has imported when it begins to serve.
START = """
import json
from channels.routing import get_default_application
from prometheus_client import REGISTRY
from games.broadcast import redis_layer
from games.management.commands import clock, serve
get_default_application()
families = [[family.name, family.type, [[sample.name, sample.labels] for sample in family.samples]]
            for family in REGISTRY.collect()]
print(json.dumps(families))
"""


def rules() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    return json.loads((ROOT / "deploy" / "grafana" / "dominoes.json").read_text())["panels"]


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in rules())
    yield from (target["expr"] for panel in panels() for target in panel["targets"])


@cache
def exported_samples() -> dict[str, list[dict[str, str]]]:
    """Return the labels of all samples that a process exports at its start, and the names of metrics without any."""
    output = subprocess.check_output([*MANAGE_COMMAND, "shell", "--no-imports", "-c", START], text=True)
    samples: dict[str, list[dict[str, str]]] = {}
    for name, kind, own in json.loads(output.splitlines()[-1]):
        samples[name + {"counter": "_total", "histogram": "_bucket"}.get(kind, "")] = [{}]
        for sample_name, labels in own:
            samples.setdefault(sample_name, []).append(labels)
    return samples


def missing_series(expression: str, samples: dict[str, list[dict[str, str]]]) -> list[str]:
    """Return the metrics of an expression that no process exports, or not with the values that it names."""
    missing = []
    for name, selector in SELECTOR.findall(expression):
        selected = dict(re.findall(r'(\w+)="(.*?)"', selector))
        selected.pop("job", None)
        if not any(selected.items() <= labels.items() for labels in samples.get(name, [])):
            missing.append(f"{name}{{{selector}}}")
    return missing


def test_rules_and_dashboard_ask_for_metrics_that_exist() -> None:
    samples = exported_samples()
    assert len(list(expressions())) > 40
    assert [missing for expression in expressions() for missing in missing_series(expression, samples)] == []


@pytest.mark.parametrize("planted", ["dominoes_none", 'dominoes_outages_total{of="disk"}', "process_none > 1"])
def test_planted_unknown_series_is_reported(planted: str) -> None:
    assert missing_series(planted, exported_samples())


def test_every_alert_can_be_made_to_fire_and_says_what_to_do() -> None:
    assert {rule["alert"] for rule in rules()} == {alert for alerts in BREAKS.values() for alert in alerts}
    for rule in rules():
        assert rule["annotations"].keys() == {"summary", "action"}
        assert rule["labels"]["severity"] in ("critical", "warning")


def test_every_process_is_scraped() -> None:
    jobs = yaml.safe_load((FOLDER / "prometheus.yml").read_text())["scrape_configs"]
    (site,) = [job for job in jobs if job["job_name"] == "dominoes"]
    targets = {target for group in site["static_configs"] for target in group["targets"]}
    web = re.findall(r"127\.0\.0\.1(:\d+)", (ROOT / "deploy" / "nginx" / "upstream.conf").read_text())
    assert targets == {f"localhost{port}" for port in (*web, f":{PORTS['dominoes-clock']}")}


def test_panels_do_not_overlap() -> None:
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels())
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _y in cells) < 24


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs promtool")
def test_promtool_accepts_the_rules() -> None:
    subprocess.run(["promtool", "check", "rules", str(RULES)], check=True)
