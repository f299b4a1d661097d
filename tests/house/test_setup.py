"""Pins, scripts and the files that start things on other machines."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.tree import PINS, ROOT, read

PROJECT: dict[str, Any] = tomllib.loads(read(Path("pyproject.toml")))["project"]
RUNTIME = [Requirement(text) for text in PROJECT["dependencies"]]
WORK = [*RUNTIME, *(Requirement(text) for text in PROJECT["optional-dependencies"]["dev"])]
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[([^]]+)\])?==(\S+)(?: ; [^\\]+?)?(?: \\)?$", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    return {canonicalize_name(package): version for package, _, version in PIN.findall(read(Path(name)))}


def pinned_extras(name: str) -> dict[str, set[str]]:
    """What each pin says of extras."""
    return {
        canonicalize_name(package): set(filter(None, extras.split(",")))
        for package, extras, _ in PIN.findall(read(Path(name)))
    }


@pytest.mark.parametrize("name", sorted(PINS))
def test_pins_name_no_place(name: str) -> None:
    text = read(Path(name))
    assert not re.search(r"://|^-|\bfile:|@ |(?<![\w.])/", text, re.MULTILINE)


@pytest.mark.parametrize(("name", "wanted"), [("requirements.lock", WORK), ("requirements.txt", RUNTIME)])
def test_every_dependency_is_pinned_to_an_allowed_version(name: str, wanted: list[Requirement]) -> None:
    pinned = pins(name)
    for requirement in wanted:
        version = pinned.get(canonicalize_name(requirement.name))
        assert version, f"{requirement.name} is missing: run tools/lock.py"
        assert requirement.specifier.contains(version), f"{requirement}: run tools/lock.py"


@pytest.mark.parametrize(("name", "wanted"), [("requirements.lock", WORK), ("requirements.txt", RUNTIME)])
def test_what_dependencies_need_is_pinned_too(name: str, wanted: list[Requirement]) -> None:
    """With its extras: where a pin says nothing of them, pip takes a newer version for `coverage[toml]` on
    the day there is one, and finds no hash for it."""
    pinned = pinned_extras(name)
    queue, seen = [(requirement.name, "") for requirement in wanted], set()
    queue += [(requirement.name, extra) for requirement in wanted for extra in requirement.extras]
    while queue:
        package, extra = queue.pop()
        if (package, extra) in seen:
            continue
        seen.add((package, extra))
        name = canonicalize_name(package)
        assert name in pinned, package
        assert not extra or extra in pinned[name], f"{package}[{extra}]: run tools/lock.py"
        for text in metadata.requires(package) or ():
            need = Requirement(text)
            if need.marker is None or need.marker.evaluate({"extra": extra}):
                queue += [(need.name, ""), *((need.name, more) for more in need.extras)]


@pytest.mark.parametrize("name", sorted(PINS))
def test_each_pin_has_hashes(name: str) -> None:
    text = re.sub(r"^#.*\n", "", read(Path(name)))
    entries = re.split(r"\n(?=\S)", text.strip())
    # a package may have a pin for each version of Python
    assert {re.split(r"[\[=<>~]", entry)[0] for entry in entries} == set(pins(name))
    assert [entry for entry in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}", entry)] == []


def test_the_pins_for_deployment_are_those_that_were_tested() -> None:
    work, deployed = pins("requirements.lock"), pins("requirements.txt")
    assert deployed.items() <= work.items()
    assert "pytest" not in deployed


@pytest.mark.long
def test_the_bill_of_materials_lists_what_is_pinned_for_deployment() -> None:
    subprocess.run([sys.executable, "tools/dev.py", "sbom"], cwd=ROOT, check=True, capture_output=True)
    listed = json.loads((ROOT / "dist" / "sbom.json").read_text(encoding="utf-8"))["components"]
    assert {canonicalize_name(each["name"]): each["version"] for each in listed} == pins("requirements.txt")


def test_the_procfile_calls_the_bot_where_it_lies() -> None:
    lines = [line for line in read(Path("Procfile")).splitlines() if not line.startswith("#")]
    assert lines == ["release: python -m bot db upgrade", "worker: python -m bot run"]
    assert PROJECT["scripts"] == {"valence": "bot.__main__:main"}


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("dev", ROOT / "tools" / "dev.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_old_python_can_at_least_read_the_script() -> None:
    source = read(Path("tools/dev.py"))
    ast.parse(source, feature_version=(3, 6))
    assert "from __future__ import annotations" not in source  # 3.6 stops at it
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            for hint in (node.returns, *(argument.annotation for argument in node.args.args)):
                # evaluated when the function is defined: `list[str]` and `A | B` fail on an old one
                assert not isinstance(hint, ast.Subscript | ast.BinOp), node.name


def test_help_names_every_target_of_make(capsys: pytest.CaptureFixture[str]) -> None:
    assert load().main(["help"]) == 0
    told = set(re.findall(r"`make ([a-z]+)", capsys.readouterr().out))
    assert told == set(re.findall(r"^([a-z]+):", read(Path("Makefile")), re.MULTILINE)) - {"help"}


def test_a_python_that_is_too_old_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    dev = load()
    monkeypatch.setattr(dev, "OLDEST", (99, 0))
    monkeypatch.setattr(dev, "NEWER", ())
    with pytest.raises(dev.Problem, match=r"needs Python 3\.11 or newer; this is 3\."):
        dev.main(["setup"])


def test_a_newer_python_is_used_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    dev = load()
    monkeypatch.setattr(dev, "OLDEST", (99, 0))
    monkeypatch.setattr(dev, "newer_python", lambda: sys.executable)
    monkeypatch.setattr(dev, "__file__", str(tmp_path / "echo.py"))
    (tmp_path / "echo.py").write_text("import sys; print(sys.argv[1:]); sys.exit(7)")
    assert dev.main(["test", "-k", "x"]) == 7
    assert capfd.readouterr().out.strip() == "['test', '-k', 'x']"


def checkout(folder: Path) -> Path:
    """A checkout without an environment: just what `setup` looks at."""
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "dev.py", folder / "tools")
    for name in ("requirements.lock", "requirements.txt", "pyproject.toml"):
        (folder / name).write_text("")
    return folder / "tools" / "dev.py"


def call(script: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(script), *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **env},
        timeout=300,
    )


def test_a_bare_debian_is_told_what_to_install(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "ensurepip.py").write_text("raise ModuleNotFoundError('ensurepip')")
    script = checkout(tmp_path)
    done = call(script, "setup", PYTHONPATH=str(bare))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "apt install python3-venv" in done.stderr
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize("words", [(), ("dance",)])
def test_without_a_command_the_script_explains_itself(words: tuple[str, ...]) -> None:
    done = call(ROOT / "tools" / "dev.py", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "python tools/dev.py setup" in done.stderr


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[ModuleType, list[str]]:
    """tools/dev.py in a checkout of its own, and the lock files that it installed."""
    checkout(tmp_path)
    dev = load()
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(dev, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(dev, "make_venv", lambda: None)
    monkeypatch.setattr(dev, "want_pip", lambda: None)
    monkeypatch.setattr(dev, "in_venv", lambda _name: Path(sys.executable))
    names: list[str] = []

    def note(*words: object) -> int:
        if "--requirement" in words:
            assert "--require-hashes" in words
            names.append(Path(str(words[-1])).name)
        else:
            assert words[-2:] == ("--editable", tmp_path)
            assert "--no-build-isolation" in words  # the build backend has been installed, with its hash
        return int("broken" in (tmp_path / names[-1]).read_text())

    monkeypatch.setattr(dev, "call", note)
    return dev, names


def test_an_environment_is_installed_again_only_when_something_changed(
    installed: tuple[ModuleType, list[str]], tmp_path: Path
) -> None:
    dev, names = installed
    for changed in ("requirements.lock", "pyproject.toml"):
        (tmp_path / changed).write_text("changed")
        names.clear()
        dev.setup()
        dev.setup()
        assert names == ["requirements.lock"]
    (tmp_path / "requirements.lock").write_text("broken")
    names.clear()
    for _ in range(2):  # what failed is tried again
        with pytest.raises(dev.Problem, match="could not be installed"):
            dev.setup()
    assert names == ["requirements.lock"] * 2


def test_tools_are_added_to_what_runs(installed: tuple[ModuleType, list[str]], tmp_path: Path) -> None:
    dev, names = installed
    dev.setup(dev.RUN)
    dev.setup(dev.RUN)
    dev.setup(dev.WORK)
    dev.setup(dev.RUN)  # the tools include what runs
    assert names == ["requirements.txt", "requirements.lock"]
    for name in names:
        (tmp_path / name).write_text("of another branch")
    names.clear()
    dev.setup(dev.RUN)
    for name in ("requirements.txt", "requirements.lock"):
        (tmp_path / name).write_text("")
    dev.setup(dev.WORK)  # the versions of the other branch were put over those that run
    assert names == ["requirements.txt", "requirements.lock"]


@pytest.mark.parametrize(
    ("command", "pins"),
    [
        *((command, "requirements.txt") for command in ("setup", "play")),
        *((command, "requirements.lock") for command in ("test", "long", "soak", "sim", "gallery", "sbom")),
    ],
)
def test_tools_are_installed_only_where_they_are_used(
    monkeypatch: pytest.MonkeyPatch, command: str, pins: str
) -> None:
    dev = load()
    wanted: list[str] = []
    monkeypatch.setattr(dev, "setup", wanted.append)
    monkeypatch.setattr(dev, "call", lambda *_: 0)
    monkeypatch.setattr(dev, "play", lambda _words: 0)
    monkeypatch.setattr(dev, "want_browser", lambda: None)
    monkeypatch.setenv("VALENCE_HYPOTHESIS", "")
    assert dev.main([command]) == 0
    assert wanted == [pins]


def test_the_tests_run_all_checks_and_pytest_last(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dev = load()
    called: list[str] = []

    def note(*words: object) -> int:
        called.append(" ".join(Path(str(word)).name for word in words))
        return int("mypy" in called[-1])

    monkeypatch.setattr(dev, "call", note)
    assert dev.test(["-k", "x"]) == 1
    assert [words.split(".exe")[0].split()[0] for words in called[:4]] == [
        "ruff",
        "ruff",
        "mypy",
        "lint-imports",
    ]
    assert called[1].endswith("format --check .") or called[1].endswith("format --check ")
    pytest_called = (
        r"-m pytest -m not long and not soak .*--durations=\d+ --durations-min=\d+ --numprocesses [1-4] "
    )
    assert re.search(pytest_called, called[-1])
    assert called[-1].endswith("-k x")
    assert "Already failed: types" in capsys.readouterr().out


@pytest.mark.parametrize("low", ["engine", "bot/core", "bot/store", "bot/table", None])
def test_what_must_be_right_is_covered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], low: str | None
) -> None:
    """The figures are those of the run that has just ended."""
    dev = load()
    called: list[str] = []

    def note(*words: object) -> int:
        called.append(" ".join(map(str, words[1:])))
        return 2 * int(f"--include={low}/*" in called[-1])

    monkeypatch.setattr(dev, "call", note)
    assert dev.cover() == int(low is not None)
    assert "--cov" in called[0].split()
    assert all((ROOT / word).exists() for word in called[0].split() if word.startswith("tests/"))
    asked = [words.split("--include=")[1] for words in called[1:]]
    assert [words for words in asked if words.endswith("--fail-under=95")] == [
        "engine/* --fail-under=95",
        "bot/core/* --fail-under=95",
        "bot/store/* --fail-under=95",
        "bot/table/* --fail-under=95",
    ]
    # which lines they are is told of a room that is low, and of no other
    assert [words for words in asked if "--fail-under" not in words] == ([f"{low}/*"] if low else [])
    assert (f"Less than 95 %: {low}" in capsys.readouterr().out) == (low is not None)


@pytest.mark.parametrize(("broken", "ends"), [("", 0), ("hypothesis and", 3), ("-m soak", 3)])
def test_a_soak_draws_many_examples_and_then_takes_its_time(
    monkeypatch: pytest.MonkeyPatch, broken: str, ends: int
) -> None:
    dev = load()
    called: list[str] = []

    def note(*words: object) -> int:
        assert os.environ["VALENCE_HYPOTHESIS"] == "deep"
        called.append(" ".join(map(str, words[1:])))
        return 3 if broken and broken in called[-1] else 0

    monkeypatch.setenv("VALENCE_HYPOTHESIS", "")  # so that it is put back whatever it was
    monkeypatch.delenv("VALENCE_HYPOTHESIS")
    monkeypatch.setattr(dev, "call", note)
    assert dev.soak(["-x"]) == ends
    assert [words.endswith(" -x") for words in called] == [True, True]
    assert "-m hypothesis and not long and not soak" in called[0]
    assert "-m soak -s" in called[1]


SLOW_TO_CLOSE = """#!{python}
import signal, sys, time
signal.signal(signal.SIGTERM, signal.default_int_handler)
try:
    print("open", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(0.6)
    print("closed", sys.argv[1:], flush=True)
"""
PLAY = """
import importlib.util, pathlib, sys
spec = importlib.util.spec_from_file_location("dev", {dev!r})
dev = importlib.util.module_from_spec(spec)
spec.loader.exec_module(dev)
dev.setup = lambda _pins: None
dev.in_venv = lambda name: pathlib.Path({folder!r}) / name
sys.exit(dev.main(["play", "--port", "1"]))
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C in another way")
@pytest.mark.parametrize(
    ("send", "number"),
    [(os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM)],
    ids=["Ctrl-C in a terminal", "a stop that only the script gets"],
)
def test_the_playground_may_close_before_the_script_ends(
    send: Callable[[int, int], None], number: int, tmp_path: Path
) -> None:
    """Python's own `call` kills a program a quarter of a second after Ctrl-C, and leaves it at SIGTERM."""
    (tmp_path / "valence").write_text(SLOW_TO_CLOSE.format(python=sys.executable))
    (tmp_path / "valence").chmod(0o755)
    code = PLAY.format(dev=str(ROOT / "tools" / "dev.py"), folder=str(tmp_path))
    words = [sys.executable, "-c", code]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        send(process.pid, number)
        assert process.stdout.readline() == "closed ['playground', '--port', '1']\n"
        assert process.wait(10) == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no bash")
def test_the_script_for_a_bare_machine_can_be_run() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0
    lines = read(Path(".ci/run")).splitlines()
    assert lines[-1] == "exec python3 tools/ci.py test long cover smoke"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(
    "target", ["setup", "play", "test", "long", "cover", "soak", "gallery", "lock", "sbom", "smoke"]
)
def test_make_is_a_thin_wrapper(target: str) -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    words = ["make", "--dry-run", target, "PYTHON=py"]
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    script = f"{target}.py" if target in ("lock", "smoke") else f"dev.py {target}"
    assert done.stdout.split() == f"py tools/{script}".split()
