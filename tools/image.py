"""Run the steps of the Dockerfile in a folder, and try what they make, where no image can be built.

    python tools/image.py [FOLDER]

Absolute paths of the image are inside FOLDER (by default a temporary one). Steps that need root (`apt-get`,
`useradd`, `install -o`) are skipped, and `strip` where the machine lacks it. An ARG comes from the
environment or has its default; the interpreter is the one running this. Then the script measures the result
and runs `valence doctor`, the CMD and the HEALTHCHECK as the image would. Exit code 1 if one fails.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_MIB = 165
"""Most that may be installed, without optional packages."""
SYMBOLS_MIB = 30
"""Size of the symbols for debuggers that `strip` removes."""
HAS_STRIP = shutil.which("strip") is not None
OF_ROOT = re.compile(r"apt-get|useradd|install -d -o")


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Yield each instruction of a Dockerfile with its arguments.

    >>> list(instructions("FROM a AS b\\n# why\\nRUN one \\\\\\n    two"))
    [('FROM', 'a AS b'), ('RUN', 'one two')]
    """
    joined = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    for line in filter(None, map(str.strip, joined.splitlines())):
        word, _, rest = line.partition(" ")
        yield word, rest


class Steps:
    """The steps of an image, executed inside a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = dict(os.environ)
        self.work = folder
        self.command: list[str] = []
        self.check: list[str] = []

    def _here(self, text: str) -> str:
        """Return a text with the image's paths replaced by those in the folder."""
        return re.sub(r"(?<![\w.])/(opt|data|src)\b", rf"{self.folder}/\1", text)

    def run(self, text: str) -> None:
        """Run all instructions.

        Raises:
            subprocess.CalledProcessError: a step failed.
            ValueError: an instruction is not supported.
        """
        (self.folder / "data").mkdir(parents=True, exist_ok=True)
        for word, rest in instructions(text):
            print(f"== {word} {rest}", flush=True)
            match word:
                case "WORKDIR":
                    self.work = Path(self._here(rest))
                    self.work.mkdir(parents=True, exist_ok=True)
                case "COPY":
                    self._copy(rest)
                case "RUN":
                    self._run(rest)
                case "ENV":
                    name, _, value = rest.partition("=")
                    self.environment[name] = self._here(value).replace("$PATH", self.environment["PATH"])
                case "CMD":
                    self.command = json.loads(rest)
                case "ARG":
                    name, _, value = rest.partition("=")
                    self.environment.setdefault(name, value)
                case "HEALTHCHECK":
                    self.check = json.loads(rest[rest.index("[") :])
                case "FROM" | "USER" | "VOLUME":
                    pass  # no effect in a folder
                case _:
                    raise ValueError(f"{word} is not known here")

    def _copy(self, rest: str) -> None:
        if rest.startswith("--from"):
            return  # the result of the other stage is already in place
        *sources, target = shlex.split(rest)
        for source in sources:
            place = self.work / target if len(sources) == 1 else self.work
            if (ROOT / source).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / source, place, ignore=ignored, dirs_exist_ok=True)
            else:
                shutil.copy(ROOT / source, self.work)

    def _run(self, rest: str) -> None:
        if OF_ROOT.search(rest):
            print("   left out: it needs root", flush=True)
            return
        if "strip" in rest and not HAS_STRIP:
            print("   left out: there is no `strip` (package binutils)", flush=True)
            return
        command = re.sub(r"^python\b", sys.executable, self._here(rest))
        subprocess.run(command, shell=True, check=True, cwd=self.work, env=self.environment)

    def installed_mib(self) -> float:
        """Return the size of the installed packages."""
        files = (self.folder / "opt" / "valence").rglob("*")
        return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink()) / 2**20

    def program(self, words: list[str]) -> list[str]:
        """Return a command of the image with its program found on the image's path."""
        found = shutil.which(words[0], path=self.environment["PATH"])
        return [found or words[0], *words[1:]]


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _said(command: list[str], work: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(command, check=False, cwd=work, env=environment, stdout=subprocess.PIPE, text=True)
    return done.stdout if done.returncode == 0 else ""


def try_it(steps: Steps) -> None:
    """Start the image's command on a local Discord until its health check succeeds.

    Raises:
        subprocess.CalledProcessError: the doctor finds a problem.
        RuntimeError: it is not healthy within a minute.
    """
    port = free_port()
    world = steps.folder / "world"
    python = steps.program(["python", "-m", "playground", "--port", str(port), "--folder", str(world)])
    local = subprocess.Popen(python, cwd=steps.work, env=steps.environment, stdout=subprocess.DEVNULL)
    try:
        environment = {
            **steps.environment,
            "DISCORD_TOKEN": "playground",
            "VALENCE_DISCORD_BASE": f"http://127.0.0.1:{port}",
            "VALENCE_METRICS_PORT": str(free_port()),
        }
        doctor = steps.program(["valence", "doctor", "--offline"])
        subprocess.run(doctor, check=True, cwd=steps.work, env=environment)
        bot = subprocess.Popen(steps.program(steps.command), cwd=steps.work, env=environment)
        try:
            until = time.monotonic() + 60
            check = steps.program(steps.check)
            while "is well" not in _said(check, steps.work, environment):  # `starting` is fine too
                if time.monotonic() > until or bot.poll() is not None:
                    raise RuntimeError(f"it did not get well; exit code {bot.poll()}")
                time.sleep(0.5)
        finally:
            bot.terminate()
            code = bot.wait(20)
        if code:
            raise RuntimeError(f"told to stop, it ended with exit code {code}")
    finally:
        local.terminate()
        local.wait(20)


def main(words: list[str]) -> int:
    """Run the steps, measure the size, and try the result."""
    with tempfile.TemporaryDirectory() as made:
        steps = Steps(Path(words[0] if words else made).resolve())
        steps.run((ROOT / "Dockerfile").read_text(encoding="utf-8"))
        size, most = steps.installed_mib(), MOST_MIB if HAS_STRIP else MOST_MIB + SYMBOLS_MIB
        print(f"== installed: {size:.0f} MiB of {most}", flush=True)
        try_it(steps)
        print("== it runs, and is well", flush=True)
        return int(size > most)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
