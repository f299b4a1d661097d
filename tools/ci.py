"""Run the parts of a CI run and end with a summary: `python tools/ci.py test long cover smoke`.

Each part is a target of the Makefile. The first part that fails is the last one to run. `tools/dev.py`
writes the results of a part's tests to `dist/tests/PART.xml`, and those of the second try of failed tests
to `dist/tests/PART-again.xml`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "dist" / "tests"
MOST_LINES = 40
WIDTH = 200
LAST_LINES = 8
"""Lines of output to repeat if a part failed although its tests did not."""
CLOSE_SECONDS = 5.0
"""Seconds to wait for the end of the output. A server that a test left running would keep it open."""
PLACE = re.compile(r"^(\S+\.py:\d+): ?", re.MULTILINE)
ASSERTION = re.compile(r"^E +(\S.*)$", re.MULTILINE)


@dataclass
class PytestRun:
    """The results of one pytest run. `failed` has the reason for each test."""

    passed: set[str] = field(default_factory=set)
    skipped: int = 0
    failed: dict[str, str] = field(default_factory=dict)


@dataclass
class TargetRun:
    """One target of the Makefile, after it has run."""

    name: str
    seconds: float
    code: int
    last: list[str]
    first: PytestRun
    again: PytestRun

    @property
    def flaky(self) -> dict[str, str]:
        """Tests that failed once and then passed, and why they failed."""
        return {test: why for test, why in self.first.failed.items() if test in self.again.passed}

    @property
    def failed(self) -> dict[str, str]:
        """Tests that failed twice, or that were not tried again, and why they failed."""
        found = {test: why for test, why in self.first.failed.items() if test not in self.again.passed}
        return found | self.again.failed


def read_report(path: Path) -> PytestRun:
    """Read the JUnit file of a pytest run. One that is missing or broken counts as a run without tests."""
    report = PytestRun()
    try:
        cases = ElementTree.parse(path).iter("testcase")
    except (OSError, ElementTree.ParseError):
        return report
    for case in cases:
        # not "file": tests that run for two databases are in one file, and count twice
        module = case.get("classname", "").replace(".", "/") + ".py"
        test = f"{module}::{case.get('name')}"
        wrong = [child for child in case if child.tag in ("failure", "error")]
        if wrong:
            report.failed[test] = reason(wrong[0])
        elif case.find("skipped") is not None:
            report.skipped += 1
        else:
            report.passed.add(test)
    report.passed -= set(report.failed)  # a test that passes and then fails to clean up is listed twice
    return report


def reason(failure: ElementTree.Element) -> str:
    """Return the file, the line and the assertion of a failure."""
    text = failure.text or ""
    places, assertion = PLACE.findall(text), ASSERTION.search(text)
    message = (failure.get("message") or "failed").strip().splitlines() or ["failed"]
    return ": ".join([*places[-1:], assertion[1] if assertion else message[0]])


def run(name: str) -> TargetRun:
    """Run a target of the Makefile, print its output as it comes, and keep the last lines of it."""
    start, last = time.monotonic(), deque[str](maxlen=LAST_LINES)
    words = ["make", "--no-print-directory", name]
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    reader = threading.Thread(target=_print, args=(process.stdout, last), daemon=True)
    reader.start()
    code = process.wait()
    reader.join(CLOSE_SECONDS)
    first, again = (read_report(REPORTS / f"{name}{end}.xml") for end in ("", "-again"))
    return TargetRun(name, time.monotonic() - start, code, list(last), first, again)


def _print(output: IO[bytes], last: deque[str]) -> None:
    for line in output:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        if text := line.decode(errors="replace").strip():
            last.append(text)


def summary(parts: list[TargetRun]) -> list[str]:
    """Return what happened, in at most `MOST_LINES` lines. Those about flaky tests come last."""
    head, failed, flaky = ["== summary"], list[str](), list[str]()
    for part in parts:
        counts = [(len(part.first.passed), "passed"), (part.first.skipped, "skipped")]
        counts += [(len(part.flaky), "flaky"), (len(part.failed), "failed")]
        tests = ", ".join(f"{count} {what}" for count, what in counts if count)
        ending = "green" if part.code == 0 else f"RED (exit code {part.code})"
        head.append(f"make {part.name:6} {part.seconds / 60:5.1f} min  {ending}  {tests}".rstrip())
        for test, why in part.failed.items():
            failed += [f"FAILED {test}", f"    {why}"]
        if part.code and not part.failed:
            failed += [f"make {part.name} ended with:", *(f"    {line}" for line in part.last)]
        for test, why in part.flaky.items():
            flaky += [f"FLAKY {test}", f"    first: {why}", "    again, by itself: passed"]
    return [line[:WIDTH] for line in [*head, *_cut(failed, 24), *_cut(flaky, MOST_LINES - 24 - len(head))]]


def _cut(lines: list[str], most: int) -> list[str]:
    left = len(lines) - most
    return lines if left <= 0 else [*lines[: most - 1], f"… and {left + 1} more lines, see above"]


def main(names: list[str]) -> int:
    """Run these parts and return the exit code of the one that failed, or 0."""
    shutil.rmtree(REPORTS, ignore_errors=True)
    parts: list[TargetRun] = []
    for name in names:
        parts.append(run(name))
        if parts[-1].code:
            break
    print(*summary(parts), sep="\n", flush=True)
    return parts[-1].code if parts else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
