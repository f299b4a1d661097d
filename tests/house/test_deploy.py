"""What deploys the bot: image, compose file, unit, Procfile and workflow, each tried as far as it can be."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from bot.cli import main
from bot.settings import Settings
from playground.server import start
from tests.house.tree import ROOT, read, texts
from tests.support.processes.command_line import command
from tests.support.waiting import wait_until
from tools import drill, image, lock

DOCKERFILE = read(Path("Dockerfile"))
COMPOSE: dict[str, Any] = yaml.safe_load(read(Path("deploy/compose.yml")))
UNIT = read(Path("deploy/valence.service"))
WORKFLOW: dict[str, Any] = yaml.safe_load(read(Path(".github/workflows/ci.yml")))


BY_NAME = re.compile(r"pip install[^`\n]*[\s'\"]valence\b(?!-)")


def test_nobody_is_told_to_install_another_projects_package() -> None:
    """At the index of packages `valence` is not this one: a name alone, with an extra or without, gets it."""
    assert BY_NAME.search("pip install 'valence[print]'")
    assert not BY_NAME.search("pip install './valence-0.1.0-py3-none-any.whl[print]'")
    told = [
        path for path in texts() if path not in (Path("CHANGELOG.md"), Path("tests/house/test_deploy.py"))
    ]
    assert [str(path) for path in told if BY_NAME.search(read(path))] == []


def test_all_that_is_copied_into_the_image_is_there_and_let_through() -> None:
    through = set(re.findall(r"^!(\S+)$", read(Path(".dockerignore")), re.MULTILINE))
    copied = set[str]()
    for word, rest in image.instructions(DOCKERFILE):
        if word == "COPY" and not rest.startswith("--from"):
            copied |= set(rest.split()[:-1])
    assert copied == through
    assert [name for name in copied if not (ROOT / name).exists()] == []


def test_all_that_pip_installs_into_the_image_has_hashes() -> None:
    """The wheel of the bot itself, which was built a step before, has none."""
    steps = [rest for word, rest in image.instructions(DOCKERFILE) if word == "RUN" and "pip install" in rest]
    assert len(steps) == 4
    loose = [step for step in steps if "--require-hashes" not in step]
    assert [step.split()[-1] for step in loose] == ["/opt/wheel/*.whl"]
    assert "--no-deps" in loose[0]
    (wheel,) = [rest for _, rest in image.instructions(DOCKERFILE) if "pip wheel" in rest]
    assert {"--no-deps", "--no-build-isolation"} <= set(wheel.split())


def test_every_extra_is_pinned_as_in_the_lock() -> None:
    project = tomllib.loads(read(Path("pyproject.toml")))
    extras = set(project["project"]["optional-dependencies"]) - {"dev"}
    folder = Path("deploy/requirements")
    assert {path.stem for path in (ROOT / folder).iterdir()} == {*extras, "build", "pip"}
    locked, running = lock.pins(read(Path("requirements.lock"))), lock.pins(read(Path("requirements.txt")))
    for name in (*extras, "build"):
        pins = lock.pins(read(folder / f"{name}.txt"))
        asked = project["build-system" if name == "build" else "project"]
        wanted = asked["requires"] if name == "build" else asked["optional-dependencies"][name]
        assert {re.split(r"[>=;]", text)[0] for text in wanted} <= {pin.split("==")[0] for pin in pins}
        for pin, block in pins.items():
            hashes = set(re.findall(r"sha256:\w+", block))
            assert hashes, pin
            assert hashes <= set(re.findall(r"sha256:\w+", locked[pin])), pin
            assert name == "build" or pin not in running, "it is installed already"


def test_images_and_actions_are_pinned_by_digest() -> None:
    steps = [rest.split() for word, rest in image.instructions(DOCKERFILE) if word == "FROM"]
    stages = {words[-1] for words in steps if "AS" in words}
    bases = [words[0] for words in steps if words[0] not in stages]
    images = [service["image"] for service in COMPOSE["services"].values() if "image" in service]
    actions = re.findall(r"uses: (\S+)", read(Path(".github/workflows/ci.yml")))
    assert bases
    assert images
    assert actions
    assert [name for name in bases + images if not re.search(r":[\d.]+\S*@sha256:[0-9a-f]{64}$", name)] == []
    assert [name for name in actions if not re.search(r"@[0-9a-f]{40}$", name)] == []


def test_nobody_runs_the_image_as_root_and_docker_asks_how_it_is() -> None:
    steps = list(image.instructions(DOCKERFILE))
    assert steps[-1] == ("CMD", '["valence", "run"]')
    assert ("USER", "valence") in steps
    assert [json.loads(rest[rest.index("[") :]) for word, rest in steps if word == "HEALTHCHECK"] == [
        ["valence", "health"]
    ]


def test_the_compose_file_upgrades_before_it_starts() -> None:
    services = COMPOSE["services"]
    assert services["bot"]["depends_on"]["upgrade"]["condition"] == "service_completed_successfully"
    assert services["upgrade"]["command"] == ["valence", "db", "upgrade"]
    used = {volume.split(":")[0] for service in services.values() for volume in service.get("volumes", ())}
    assert used == set(COMPOSE["volumes"])
    url = services["bot"]["environment"]["DATABASE_URL"].replace("${POSTGRES_PASSWORD}", "secret")
    assert Settings(DATABASE_URL=url).async_database_url.startswith("postgresql+asyncpg://")


def test_our_containers_have_no_right_of_root_and_get_none() -> None:
    """The unit of systemd says the same in its own words. PostgreSQL's image begins as root."""
    ours = [service for service in COMPOSE["services"].values() if "build" in service]
    assert len(ours) == 2
    for service in ours:
        assert service["read_only"] is True
        assert service["tmpfs"] == ["/tmp"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    assert "NoNewPrivileges=yes" in UNIT
    assert "\nCapabilityBoundingSet=\n" in UNIT


def test_every_setting_that_is_set_for_a_deployment_exists() -> None:
    known = {f"VALENCE_{name}".upper() for name in Settings.model_fields} | {"DATABASE_URL", "DISCORD_TOKEN"}
    named = set(
        re.findall(r"\b(?:VALENCE_\w+|DATABASE_URL|DISCORD_TOKEN)\b", DOCKERFILE + UNIT + str(COMPOSE))
    )
    assert named - known == set()


def test_the_unit_starts_again_but_not_what_starting_again_cannot_mend() -> None:
    lines = dict(line.split("=", 1) for line in UNIT.splitlines() if "=" in line and line[0] != "#")
    assert lines["Restart"] == "always"
    # of docs/operations.md: a setting that cannot be used, a release at fault
    assert lines["RestartPreventExitStatus"] == "2 4"
    # that a setting is wrong must be the bot's own word: systemd tries what comes before it for ever
    assert lines["ExecStartPre"] == "-/opt/valence/bin/valence db upgrade"


def test_a_command_typed_in_the_folder_of_the_unit_finds_what_the_bot_uses() -> None:
    """Settings from `.env` there, games beside it: the unit alone says nothing of where they are."""
    lines = dict(line.split("=", 1) for line in UNIT.splitlines() if "=" in line and line[0] != "#")
    assert lines["WorkingDirectory"] == "/var/lib/valence"
    assert lines["User"] == "valence"
    assert "EnvironmentFile" not in lines
    assert lines["Environment"] == "VALENCE_CACHE=/var/cache/valence"
    assert "sudo -u valence sh -c 'cd /var/lib/valence && /opt/valence/bin/valence doctor'" in UNIT
    assert "sudo -u valence sh -c 'cd /var/lib/valence" in read(Path("docs/operations.md"))


def test_settings_in_the_file_beside_compose_reach_the_bot() -> None:
    for name in ("upgrade", "bot"):
        assert COMPOSE["services"][name]["env_file"] == [{"path": ".env", "required": False}]


def test_the_workflow_runs_all_versions_that_are_promised() -> None:
    assert WORKFLOW["jobs"]["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    assert {"run": ".ci/run"} in WORKFLOW["jobs"]["test"]["steps"]
    assert read(Path(".python-version")).strip() in WORKFLOW["jobs"]["test"]["strategy"]["matrix"]["python"]


@pytest.mark.long
def test_the_steps_of_the_image_make_a_bot_that_is_well(tmp_path: Path) -> None:
    script = [sys.executable, str(ROOT / "tools" / "image.py"), str(tmp_path)]
    done = subprocess.run(script, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@pytest.mark.long
def test_what_the_operations_page_says_about_files_is_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each step in this process, because imports take longer than all of them."""
    valence = command(capsys, main)
    steps = list[tuple[str, ...]]()

    def run(words: list[str], *, cwd: Path, env: dict[str, str], **_: object) -> SimpleNamespace:
        python, module, name, *rest = words
        assert (python, module, name) == (sys.executable, "-m", "bot")
        steps.append(tuple(rest[:2]))
        with monkeypatch.context() as here:
            here.chdir(cwd)
            for key, value in env.items():
                here.setenv(key, value)
            said = valence(*rest)
        return SimpleNamespace(returncode=said.code, stdout=said.out, stderr=said.err)

    monkeypatch.setattr(drill, "subprocess", SimpleNamespace(run=run))
    assert drill.main([]) == 0
    assert set(steps) == {("db", verb) for verb in ("check", "upgrade", "restore", "backup")}


def listening(port: int) -> bool:
    """Return whether someone listens on a port of this machine."""
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.long
async def test_the_steps_of_the_procfile_make_a_bot_that_is_well(tmp_path: Path) -> None:
    release, worker = (
        line.split(": ", 1)[1] for line in read(Path("Procfile")).splitlines() if line[0] != "#"
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    async with start() as local:
        environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "DATABASE_URL": f"sqlite:///{tmp_path / 'valence.db'}",
            "DISCORD_TOKEN": "playground",
            "VALENCE_DISCORD_BASE": local.base,
            "VALENCE_METRICS_PORT": str(port),
        }

        def steps() -> int:
            subprocess.run(release.split(), cwd=ROOT, env=environment, check=True)
            bot = subprocess.Popen(worker.split(), cwd=ROOT, env=environment)
            # asking takes a process, and nobody answers before this
            wait_until(lambda: bot.poll() is not None or listening(port))
            ask = [sys.executable, "-m", "bot", "health"]
            until = time.monotonic() + 60
            # a bot that is still starting is no cause for alarm, but not yet well
            while (
                b"is well"
                not in subprocess.run(ask, cwd=ROOT, env=environment, check=False, capture_output=True).stdout
            ):
                assert bot.poll() is None
                assert time.monotonic() < until
            bot.send_signal(signal.SIGTERM)
            return bot.wait(20)

        assert await asyncio.to_thread(steps) == 0
