"""The alert rules and the dashboard: they load, and every figure and page that they name exists."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.render.pool import Studio
from bot.telemetry.metrics import Metrics
from bot.telemetry.trace import Trace
from tests.house.tree import ROOT, read
from tests.support.outside_running import metrics_of_features
from tools import dashboard

ALERTS = yaml.safe_load(read(Path("deploy/alerts.yml")))
RULES: list[dict[str, Any]] = [rule for group in ALERTS["groups"] for rule in group["rules"]]
DASHBOARD = json.loads(read(Path("deploy/grafana.json")))
EXPRESSIONS = [
    *(rule["expr"] for rule in RULES),
    *(target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", ())),
]


@pytest.fixture(scope="module")
def figures() -> dict[str, set[str]]:
    """By name, the labels of every figure that the bot tells."""
    metrics = Metrics()
    studio = Studio()
    metrics.watch(studio.pool)
    metrics.watch_cache("pictures", studio)
    trace = Trace("move", stages={"work": 0.1}, seconds=0.1, task=None)
    metrics.answered(trace)
    metrics.ended(trace)
    metrics.requests.labels("answer", "200").inc()
    metrics.request_seconds.labels("answer").observe(0.1)
    metrics.well.labels("loop").set(1)
    with metrics.store("read"):
        pass
    found = dict[str, set[str]]()
    for family in metrics.registry.collect():
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_figure_and_label_is_one_that_the_bot_tells(
    expression: str, figures: dict[str, set[str]]
) -> None:
    named = re.findall(r"\b(valence_\w+|up)\b(?:\{([^}]*)\})?", expression)
    assert named
    for name, chosen in named:
        labels = set(re.findall(r"(\w+)\s*[=!]", chosen))
        assert name == "up" or labels <= figures[name]
    grouped = {label for found in re.findall(r"by \(([^)]*)\)", expression) for label in found.split(", ")}
    known = set().union(*(figures.get(name, set()) for name, _ in named)) | {"instance", "job"}
    assert grouped <= known
    assert expression.count("(") == expression.count(")")


def test_the_page_about_operations_names_every_figure_and_no_other() -> None:
    metrics = Metrics()
    metrics.watch(Studio().pool)
    served = {
        family.name + ("_total" if family.type == "counter" else "") for family in metrics.registry.collect()
    }
    served |= {name + ("_total" if kind == "counter" else "") for name, kind in metrics_of_features().items()}
    page = read(Path("docs/operations.md"))
    named = set(re.findall(r"`(valence_\w+)`", page))
    assert named | {f"valence_pool{rest}" for rest in re.findall(r"`(_\w+)`", page)} == served


def test_every_alert_says_what_is_wrong_how_bad_and_where_to_read() -> None:
    headings = {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", read(Path("docs/operations.md")), re.MULTILINE)
    }
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"]["summary"]
        page, _, heading = rule["annotations"]["page"].partition("#")
        assert page == "docs/operations.md"
        assert heading in headings


def test_the_dashboard_is_fresh_and_nothing_overlaps() -> None:
    assert (ROOT / "deploy" / "grafana.json").read_text(encoding="utf-8") == dashboard.text()
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken = set()
    for panel in panels:
        at = panel["gridPos"]
        assert at["x"] + at["w"] <= 24
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & taken
        taken |= cells
