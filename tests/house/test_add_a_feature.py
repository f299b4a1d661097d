"""The feature of docs/add-a-feature.md works, and touches no more files than the page says."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from bot.store.models import SCHEMA
from tests.house.tree import PYTEST, ROOT, begin_history, copy_to, read, run_in, touched

PAGE, OPERATIONS = Path("docs/add-a-feature.md"), "docs/operations.md"
FOLDER = "bot/features/coin/"
NAMED = re.compile(r"`((?:bot|tests)/[\w./-]*coin[\w./-]*\.(?:py|toml))`")
FIGURES = re.compile(r"(?:^\| `valence_.*\n)+", re.MULTILINE)
"""The rows of the table of metrics."""
RECORDS = ("PRIVACY.md", "tests/house/outside/", "tests/store/corpus/")
"""Where the commands of the page write."""
TESTS = (
    "tests/conformance/test_languages.py",
    "tests/features/coin/test_coin.py",
    "tests/flows/test_every_command.py",
    "tests/flows/test_places.py::test_controls_declare_what_they_act_on",
    "tests/house/test_circles.py",
    "tests/house/test_class_names.py",
    "tests/house/test_commands.py",
    "tests/house/test_dashboards.py",
    "tests/house/test_hygiene.py",
    "tests/house/test_layers.py::test_the_contract_names_every_module_of_a_feature_with_queries",
    "tests/house/test_layers.py::test_the_layers_hold",
    "tests/house/test_locales.py",
    "tests/house/test_outside.py::test_nothing_outside_goes_or_changes",
    "tests/store/test_corpus.py::test_the_newest_schema_is_kept_too",
    "tests/store/test_migrations.py::test_a_migration_keeps_the_policy",
    "tests/store/test_privacy.py",
    "tests/store/test_schema.py::test_the_migrations_make_what_the_models_say",
    "tests/store/test_schema.py::test_the_newest_migration_is_the_one_that_the_bot_wants",
)
"""Tests that look at every feature, command, table, string or file."""
STYLE = ("--no-cache", "--config", "pyproject.toml")


@cache
def page() -> str:
    """Return the page, its migration numbered as the next one: others may have come since it was written."""
    text = read(PAGE)
    (number,) = re.findall(r"(\d{4})_coins\.py", text)
    shift = int(SCHEMA) + 1 - int(number)
    return re.sub(r"(?<!\d)00\d\d(?!\d)", lambda found: f"{int(found[0]) + shift:04}", text)


@cache
def blocks() -> dict[str, str]:
    """Return the files of the page: each block of code by the path of the feature named last before it."""
    found = {}
    for block in re.finditer(r"```(?:python|toml)\n(.*?)```", page(), re.DOTALL):
        found[NAMED.findall(page()[: block.start()])[-1]] = block[1]
    return found


def commands() -> list[str]:
    """Return the commands of the page that write records, without the word `python`."""
    return re.findall(r"^    python (.+)$", page(), re.MULTILINE)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the project and do what the page says, and nothing else."""
    tree = tmp_path_factory.mktemp("project")
    copy_to(tree)
    begin_history(tree)
    for name, code in blocks().items():
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text(code, encoding="utf-8")
    (row,) = re.findall(r"```markdown\n(.*?)```", page(), re.DOTALL)
    operations = FIGURES.sub(lambda rows: rows[0] + row, read(Path(OPERATIONS)), count=1)
    (tree / OPERATIONS).write_text(operations, encoding="utf-8")
    for command in commands():
        run_in(tree, *command.split())
    return tree


@pytest.mark.long
def test_the_feature_of_the_page_works(tree: Path) -> None:
    before = touched(tree)
    run_in(tree, *PYTEST, *TESTS)
    code = [name for name in blocks() if name.endswith(".py")]
    run_in(tree, "-m", "ruff", "check", *STYLE, *code)
    run_in(tree, "-m", "ruff", "format", "--check", *STYLE, *code)
    run_in(tree, "-m", "mypy", *(name for name in code if name.startswith(FOLDER)))
    assert touched(tree) == before
    assert {name for name in before if not name.startswith(RECORDS)} == {*blocks(), OPERATIONS}
    assert {place for place in RECORDS for name in before if name.startswith(place)} == set(RECORDS)


def test_the_page_counts_its_files() -> None:
    """The files of the page are all new, and the page about operations is the only other one."""
    assert [name for name in blocks() if (ROOT / name).exists()] == []
    assert len([*blocks(), OPERATIONS]) == 8
    assert len([name for name in blocks() if name.startswith(FOLDER)]) == 3
    assert len(commands()) == 3


def test_the_migration_of_the_page_follows_the_newest() -> None:
    (code,) = (code for name, code in blocks().items() if f"/{int(SCHEMA) + 1:04}_" in name)
    assert f'revision = "{int(SCHEMA) + 1:04}"\ndown_revision = "{SCHEMA}"\n' in code
