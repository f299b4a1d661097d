"""Set up, play, test: all that a checkout needs, on Linux, macOS and Windows, with Python alone.

    python tools/dev.py setup             make .venv and install what running needs
    python tools/dev.py play              start the local Discord and the bot (sets up first)
    python tools/dev.py test [PYTEST…]    lint, types, layers, tests (installs the tools for that first)
    python tools/dev.py long [PYTEST…]    tests that drive a browser, and real servers and processes
    python tools/dev.py cover             count which lines of engine, tables and store the tests run
    python tools/dev.py explore [PYTEST…] new examples of every law
    python tools/dev.py soak [PYTEST…]    many examples of every law, and tests that take half an hour
    python tools/dev.py sim [OPTION…]     worlds in a box: --seed N plays one again, --help says what else
    python tools/dev.py gallery [GAME…]   draw which pictures have changed since the last commit
    python tools/dev.py sbom              list what a running bot is made of, as CycloneDX: dist/sbom.json

`make setup`, `make play`, `make test`, `make long`, `make cover`, `make explore`, `make soak`, `make sim`,
`make gallery` and `make sbom` call it, with `make test ARGS="tests/engine -x"` for what follows. `make lock`
pins packages anew, `make smoke` tries every further Python that is here.
Annotations that are too young for an old Python are quoted, so that it can say in words that it is too old.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "installed.stamp"
RUN = "requirements.txt"
"""The packages that a running bot and the playground need."""
WORK = "requirements.lock"
"""The same packages, and those of the tests and tools."""
BUILD = ROOT / "deploy" / "requirements" / "build.txt"
"""The build backend of this project."""
PIP = ROOT / "deploy" / "requirements" / "pip.txt"
"""The pip that installs them."""
# without --compile, because Python compiles what it imports, which is much less than everything
PIP_INSTALL = ["--disable-pip-version-check", "--no-input", "install", "--quiet", "--no-compile"]
OLDEST = (3, 11)
NEWER = ("python3.13", "python3.12", "python3.11", "python3.14")
"""Interpreters to look for if the one running this is too old."""

COMMANDS = ("setup", "play", "test", "long", "cover", "explore", "soak", "sim", "gallery", "sbom")

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
"""Browsers the tests of the playground's page can drive."""

ROOMS = ("engine", "bot/core", "bot/store", "bot/table")
FLOOR = 95
"""Minimum percentage of lines that the tests must cover in each of these folders."""
COVERING = (
    "tests/core",
    "tests/engine",
    "tests/store",
    "tests/table",
    "tests/features/daily/test_morning_handlers.py",
    "tests/features/daily/test_service.py",
    "tests/features/nights/test_nights.py",
    "tests/features/teacher/test_hints.py",
    "tests/features/watching",
    "tests/flows/test_access.py",
    "tests/flows/test_away.py",
    "tests/flows/test_closing.py",
    "tests/flows/test_end_at_once.py",
    "tests/flows/test_my_tables.py",
    "tests/flows/test_undo.py",
    "tests/workers/test_executor_worker.py",
)
"""Tests that must reach those lines: those of the folders, and some that press what leads to a table."""
REPORTS = ROOT / "dist" / "tests"
"""Results of the tests in CI, for `tools/ci.py`."""
TESTS_FAILED = 1
"""Exit code of pytest after a complete run with failed tests."""
MOST_AGAIN = 10
"""Maximum number of tests that fail a second time before the second run stops."""


class Problem(Exception):
    """A problem for the user to fix. Its text is the one line they see."""


def in_venv(name: str) -> Path:
    """Return the path of a program in the virtual environment."""
    return VENV / ("Scripts" if os.name == "nt" else "bin") / (f"{name}.exe" if os.name == "nt" else name)


def call(*words: "str | Path") -> int:
    """Run a program in the checkout and return its exit code."""
    return subprocess.call([str(word) for word in words], cwd=ROOT)


def play(words: "list[str]") -> int:
    """Run the playground until it ends, and return its exit code. Requests to stop are passed on to it."""
    started: list[subprocess.Popen[bytes]] = []

    def pass_on(number: int, _: object) -> None:
        for process in started:
            process.send_signal(number)

    # Ctrl-C also reaches the playground, which needs a moment to close: wait for it
    signal.signal(signal.SIGINT, lambda *_: None)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), pass_on)
    started.append(subprocess.Popen([str(in_venv("valence")), "playground", *words], cwd=ROOT))
    return started[0].wait()


def newer_python() -> "str | None":
    """Return a recent enough interpreter on the path, if any."""
    for name in NEWER:
        path = shutil.which(name)
        ask = "import sys; sys.exit(sys.version_info < (3, 11))"
        if path and subprocess.call([path, "-c", ask], stderr=subprocess.DEVNULL) == 0:
            return path
    return None


def fingerprint(pins: str) -> str:
    """Return a hash that changes whenever this lock file must be installed again."""
    text = hashlib.sha256(f"{sys.version_info[:2]} {pins}".encode())
    for name in (pins, "pyproject.toml"):
        text.update((ROOT / name).read_bytes())
    return text.hexdigest()


def make_venv() -> None:
    """Create `.venv` unless a working one exists."""
    python = in_venv("python")
    if python.exists() and subprocess.call([str(python), "-c", ""], stderr=subprocess.DEVNULL) == 0:
        return
    try:
        import ensurepip  # noqa: F401 - only to see whether it is there
        import venv
    except ImportError:
        raise Problem(
            "this Python cannot make virtual environments; on Debian or Ubuntu: apt install python3-venv"
        ) from None
    print("Making .venv", flush=True)
    try:
        venv.create(VENV, with_pip=False, clear=VENV.exists())
    except (OSError, subprocess.CalledProcessError) as error:
        raise Problem(f".venv cannot be made: {error}") from error


def want_pip() -> None:
    """Put the locked pip into `.venv`: the one that comes with Python 3.11 takes twice as long to install."""
    python = in_venv("python")
    words = (*PIP_INSTALL, "--require-hashes", "--requirement", str(PIP))
    outer = (sys.executable, "-m", "pip", "--python", str(python), *words)
    if subprocess.call(outer, stderr=subprocess.DEVNULL) != 0:  # this Python has no pip, or an old one
        call(python, "-m", "ensurepip", "--upgrade")
        call(python, "-m", "pip", *words)


def setup(pins: str = WORK) -> None:
    """Make `.venv`, and install a lock file and this project unless that has been done.

    One stamp names the lock file that was installed last. `WORK` includes `RUN`.
    """
    make_venv()
    stamped = STAMP.read_text() if STAMP.exists() else ""
    if stamped in (fingerprint(pins), fingerprint(WORK)):
        return
    what = "Valence needs" if pins == RUN else "the tests and tools need"
    print(f"Installing what {what}; the first time takes a minute or two", flush=True)
    STAMP.unlink(missing_ok=True)
    want_pip()
    pip = (str(in_venv("python")), "-m", "pip", *PIP_INSTALL)
    # WORK has the build backend
    build = ("--requirement", str(BUILD)) if pins == RUN else ()
    if call(*pip, "--require-hashes", *build, "--requirement", ROOT / pins) != 0:
        raise Problem("the packages could not be installed; the lines above show what pip reported")
    # without isolation, because pip would fetch the backend a second time, and without a hash
    if call(*pip, "--no-deps", "--no-build-isolation", "--editable", ROOT) != 0:
        raise Problem("Valence itself could not be installed; the lines above show what pip reported")
    STAMP.write_text(fingerprint(pins))


def browser() -> "str | None":
    """Return the browser that tests can drive, if any."""
    places = (
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    )
    found = [shutil.which(name) for name in BROWSERS]
    found += [place for place in places if Path(place).exists()]
    return next(filter(None, found), None)


def want_browser() -> None:
    """Install a browser if that needs no confirmation, else report what is missing."""
    if browser():
        return
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        print("Installing Chromium for the tests of the playground's page", flush=True)
        call("apt-get", "update", "-qq")
        if call("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium") == 0:
            return
    print("No Chromium was found; the tests that need a browser say what that means", flush=True)


def test(words: "list[str]") -> int:
    """Run every check that a change must pass; pytest comes last and decides."""
    checks = (
        ("lint", (in_venv("ruff"), "check", ".")),
        ("format", (in_venv("ruff"), "format", "--check", ".")),
        ("types", (in_venv("mypy"),)),
        ("layers", (in_venv("lint-imports"), "--no-logo")),
    )
    failed = []
    for name, command in checks:
        print(f"== {name}", flush=True)
        if call(*command) != 0:
            failed.append(name)
    print("== tests", flush=True)
    if failed:
        print(f"Already failed: {', '.join(failed)}", flush=True)
    broken = pytest("test", "not long and not soak", *words)
    if failed:
        print(f"Already failed: {', '.join(failed)}", flush=True)
    return broken or int(bool(failed))


def cover() -> int:
    """Run the tests of the folders where a mistake costs a game, and check how many of their lines run.

    `make test` does not count lines, because that takes half as long again.
    """
    marked = "not long and not soak and not repeats"
    # the same tests run on SQLite, and few lines are for PostgreSQL alone
    once = ("-k", "not postgresql")
    return pytest("cover", marked, *once, "--cov", "--cov-report=", *COVERING) or covered()


def covered() -> int:
    """Check the coverage that the last run measured. Return 1 if it is too low."""
    low = []
    report = (in_venv("python"), "-m", "coverage", "report")
    for room in ROOMS:
        print(f"== lines of {room} that were run, in percent", flush=True)
        if call(*report, "--format=total", f"--include={room}/*", f"--fail-under={FLOOR}") != 0:
            low.append(room)
            call(*report, f"--include={room}/*")  # lists the missing lines
    if low:
        print(f"Less than {FLOOR} %: {', '.join(low)}", flush=True)
    return int(bool(low))


def sbom() -> int:
    """List the components of a running bot with hashes, reproducibly."""
    (ROOT / "dist").mkdir(exist_ok=True)
    what = ("requirements", "requirements.txt", "--pyproject", "pyproject.toml")
    return call(in_venv("cyclonedx-py"), *what, "--output-reproducible", "--output-file", "dist/sbom.json")


def soak(words: "list[str]") -> int:
    """Run the slow searches: many Hypothesis examples, then the tests that take half an hour."""
    os.environ.setdefault("VALENCE_HYPOTHESIS", "deep")
    examples = pytest("soak", "hypothesis and not long and not soak", *words)
    return call(in_venv("python"), "-m", "pytest", "-m", "soak", "-s", *words) or examples


def explore(words: "list[str]") -> int:
    """Run every law on new Hypothesis examples."""
    os.environ["VALENCE_HYPOTHESIS"] = "explore"
    return pytest("explore", "hypothesis and not long and not soak", *words)


def cores() -> int:
    """Return how many cores this process may use, which may be fewer than the machine has."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows
        return os.cpu_count() or 1


def pytest(part: str, marked: str, *words: str) -> int:
    """Run the tests with these marks on all cores and list the slowest at the end.

    In CI, also write the results to `dist/tests/PART.xml`, and run failed tests a second time, by themselves.
    """
    # one more than cores, because tests also wait: for timers, processes and databases
    processes = min(4, cores() + 1)
    run: list[str | Path] = [in_venv("python"), "-m", "pytest", "-m", marked]
    told = ("--durations=25", "--durations-min=4", "--numprocesses", str(processes))
    if not os.environ.get("VALENCE_MUST"):
        return call(*run, *told, *words)
    run += ["-o", "junit_family=xunit1"]
    code = call(*run, *told, f"--junitxml={REPORTS / part}.xml", *words)
    if code != TESTS_FAILED:
        return code
    print("== failed tests a second time, by themselves", flush=True)
    again = ("--last-failed", "--last-failed-no-failures=none", f"--maxfail={MOST_AGAIN}", "-n0", "--no-cov")
    return call(*run, f"--junitxml={REPORTS / part}-again.xml", *words, *again)


def main(words: "list[str]") -> int:
    """Run the command line and return the exit code."""
    if words == ["help"]:
        print((__doc__ or "").strip())
        return 0
    if not words or words[0] not in COMMANDS:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    if sys.version_info[:2] < OLDEST:
        newer = newer_python()
        if newer is None:
            raise Problem(f"Valence needs Python 3.11 or newer; this is {sys.version.split()[0]}")
        return subprocess.call([newer, __file__, *words])
    setup(RUN if words[0] in ("setup", "play") else WORK)
    if words[0] == "play":
        return play(words[1:])
    if words[0] == "test":
        return test(words[1:])
    if words[0] == "gallery":
        return call(in_venv("python"), ROOT / "tools" / "gallery.py", *words[1:])
    if words[0] == "sim":
        return call(in_venv("python"), "-m", "tests.sim", *words[1:])
    if words[0] == "sbom":
        return sbom()
    if words[0] == "long":
        want_browser()
        return pytest("long", "long and not soak", *words[1:])
    if words[0] == "cover":
        return cover()
    if words[0] == "explore":
        return explore(words[1:])
    if words[0] == "soak":
        return soak(words[1:])
    print("Ready: `make play` starts the playground, `make test` runs the tests.")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Problem as problem:
        sys.exit(f"dev.py: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
