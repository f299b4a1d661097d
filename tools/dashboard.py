"""Write deploy/grafana.json, the dashboard for Grafana: `python tools/dashboard.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

OUT = Path(__file__).resolve().parent.parent / "deploy" / "grafana.json"
SOURCE = {"type": "prometheus", "uid": "${source}"}
RATE = "[$__rate_interval]"
GONE_WRONG = f'valence_pool_events_total{{event!~"done|started"}}{RATE}'


def quantile(part: float, name: str, by: str = "le") -> str:
    """The time below which this part of all lies."""
    return f"histogram_quantile({part}, sum by ({by}) (rate({name}_bucket{RATE})))"


ROWS: list[tuple[str, list[tuple[str, str, list[tuple[str, str]]]]]] = [
    (
        "Presses",
        [
            (
                "From press to answer",
                "s",
                [
                    (quantile(part, "valence_answer_seconds"), f"p{part * 100:g}")
                    for part in (0.5, 0.95, 0.99)
                ],
            ),
            ("Answers", "reqps", [(f"sum by (outcome) (rate(valence_answers_total{RATE}))", "{{outcome}}")]),
            (
                "Where the time goes",
                "s",
                [
                    (
                        f"sum by (stage) (rate(valence_stage_seconds_sum{RATE})) "
                        f"/ scalar(sum(rate(valence_answer_seconds_count{RATE})))",
                        "{{stage}}",
                    )
                ],
            ),
            (
                "Slowest handlers (p95)",
                "s",
                [(f"topk(8, {quantile(0.95, 'valence_answer_seconds', 'le, verb')})", "{{verb}}")],
            ),
        ],
    ),
    (
        "Health",
        [
            ("Parts", "bool", [("min by (part) (valence_well)", "{{part}}")]),
            ("Event loop, p99 lag", "s", [(quantile(0.99, "valence_loop_lag_seconds"), "lag")]),
            (
                "Failures nobody foresaw",
                "short",
                [("increase(valence_failures_total[15m])", "in 15 minutes")],
            ),
            ("Tables in memory", "short", [("sum(valence_tables)", "tables")]),
            (
                "Games that do not replay",
                "short",
                [("max by (phase) (valence_games_unreplayed)", "{{phase}}")],
            ),
        ],
    ),
    (
        "Discord",
        [
            (
                "Requests by status",
                "reqps",
                [(f"sum by (status) (rate(valence_discord_requests_total{RATE}))", "{{status}}")],
            ),
            (
                "How long Discord takes (p95)",
                "s",
                [(quantile(0.95, "valence_discord_seconds", "le, kind"), "{{kind}}")],
            ),
            (
                "Calls that wait, messages written",
                "short",
                [
                    ("sum(valence_outbox_waiting)", "waiting"),
                    (f"sum(rate(valence_published_total{RATE}))", "written a second"),
                ],
            ),
        ],
    ),
    (
        "Store and workers",
        [
            ("Database (p99)", "s", [(quantile(0.99, "valence_store_seconds", "le, kind"), "{{kind}}")]),
            ("Jobs that wait", "short", [("sum by (pool) (valence_pool_waiting)", "{{pool}}")]),
            (
                "What goes wrong in workers",
                "reqps",
                [
                    (
                        f"sum by (pool, event) (rate({GONE_WRONG}))",
                        "{{pool}} {{event}}",
                    )
                ],
            ),
            (
                "Pictures remembered",
                "percentunit",
                [
                    (
                        f'sum by (cache) (rate(valence_cache_total{{event="hit"}}{RATE})) '
                        f"/ sum by (cache) (rate(valence_cache_total{RATE}))",
                        "{{cache}}",
                    )
                ],
            ),
        ],
    ),
]


def panels() -> list[dict[str, Any]]:
    """All panels, four in a row, each row under its heading."""
    found, top, number = list[dict[str, Any]](), 0, 1
    for heading, charts in ROWS:
        found.append(
            {"id": number, "type": "row", "title": heading, "gridPos": {"h": 1, "w": 24, "x": 0, "y": top}}
        )
        number, top, wide = number + 1, top + 1, 24 // len(charts)
        for place, (title, unit, lines) in enumerate(charts):
            found.append(
                {
                    "id": number,
                    "type": "timeseries",
                    "title": title,
                    "datasource": SOURCE,
                    "gridPos": {"h": 8, "w": wide, "x": wide * place, "y": top},
                    "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
                    "targets": [
                        {"refId": chr(65 + index), "datasource": SOURCE, "expr": expr, "legendFormat": legend}
                        for index, (expr, legend) in enumerate(lines)
                    ],
                }
            )
            number += 1
        top += 8
    return found


def dashboard() -> dict[str, Any]:
    """The whole dashboard, to be imported as it is."""
    source = {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}
    return {
        "title": "Valence",
        "uid": "valence",
        "schemaVersion": 39,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": [source]},
        "panels": panels(),
    }


def text() -> str:
    """The file."""
    return json.dumps(dashboard(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    OUT.write_text(text(), encoding="utf-8")
