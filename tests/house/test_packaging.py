"""The wheel: complete, and at home in any folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from engine import catalog
from tests.house.tree import ROOT

pytestmark = pytest.mark.slow


def run(*words: object, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An environment with the wheel in it, and a folder full of decoys to call it from.

    The libraries come from the environment of the tests, so nothing is fetched; a `.pth` file only
    adds their folder and does not read the one that leads to this checkout.
    """
    folder = tmp_path_factory.mktemp("elsewhere")
    home = folder / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", home, cwd=folder)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    pip = (sys.executable, "-m", "pip", "--python", scripts / "python", "install", "--quiet", "--no-compile")
    run(*pip, "--no-deps", "--no-index", "--disable-pip-version-check", wheel, cwd=folder)
    (site,) = {path.parent for path in home.rglob("site-packages/engine")}
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    decoys = folder / "decoys"
    for name in ("bot", "engine", "playground"):
        (decoys / name).mkdir(parents=True)
        (decoys / name / "__init__.py").write_text("raise SystemExit('a decoy was imported')\n")
    for part in ("assets", "bot/_assets"):
        (decoys / part / "cards").mkdir(parents=True)
        for card_file in (ROOT / "assets" / "cards").glob("*.json"):
            (decoys / part / "cards" / card_file.name).write_text("a decoy was read")
    return scripts, decoys


def test_the_wheel_holds_what_it_needs_and_no_more(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"bot", "engine", "playground"}
    for path in sorted((ROOT / "assets").rglob("*")):
        if path.is_file():
            assert f"bot/_assets/{path.relative_to(ROOT / 'assets').as_posix()}" in names
    for package in ("bot", "engine", "playground"):
        for path in sorted((ROOT / package).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                assert path.relative_to(ROOT).as_posix() in names
    assert any(name.endswith("licenses/LICENSE") for name in names)


@pytest.mark.long
def test_the_command_works_in_a_folder_of_decoys(elsewhere: tuple[Path, Path]) -> None:
    scripts, decoys = elsewhere
    listed = json.loads(run(scripts / "valence", "games", "--json", cwd=decoys).stdout)
    # the catalog of the tests has the probe game as well
    assert [game["key"] for game in listed] == [key for key in catalog.listed() if key != "probe"]


SIMULATE = """
import sys
from bot.cli import main
for key in sys.argv[1:]:
    assert main(["simulate", key, "--games", "1", "--json"]) == 0
    print("END", flush=True)
"""


@pytest.mark.long
def test_every_game_finds_its_card_data_there(elsewhere: tuple[Path, Path]) -> None:
    scripts, decoys = elsewhere
    keys = [key for key in catalog.listed() if key != "probe"]
    said = run(scripts / "python", "-P", "-c", SIMULATE, *keys, cwd=decoys).stdout
    played = [json.loads(part) for part in said.split("END\n")[:-1]]
    assert [(figures["game"], figures["games"]) for figures in played] == [(key, 1) for key in keys]


@pytest.mark.long
def test_data_comes_from_inside_the_package(elsewhere: tuple[Path, Path]) -> None:
    scripts, decoys = elsewhere
    ask = "from engine.data import folder; print(folder())"
    found = Path(run(scripts / "python", "-P", "-c", ask, cwd=decoys).stdout.strip())
    assert found.parts[-2:] == ("bot", "_assets")
    assert found.is_relative_to(scripts.parent.resolve())


@pytest.mark.long
def test_wrong_input_stays_one_line_there(elsewhere: tuple[Path, Path]) -> None:
    scripts, decoys = elsewhere
    done = run(scripts / "valence", "simulate", "nothing", cwd=decoys, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
