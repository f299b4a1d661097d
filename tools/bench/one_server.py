"""What a small machine needs: python -m tools.bench.one_server [--core 0] [--seconds 120] [-- PRESS OPTIONS]

`python -m tools bench press` plays with four people, one press a second, and what the bot's processes
together take is read once a second (Linux alone): memory as PSS, which counts what several share once, and
CPU. `--core` leaves all of it, the people and the local Discord too, one core. Prints JSON.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

PROC = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK")


def family(of: int) -> list[int]:
    """Return the bot that this process started and the bot's descendants."""
    parents, bots = dict[int, int](), set[int]()
    for folder in PROC.glob("[0-9]*"):
        try:
            number = int(folder.name)
            parents[number] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if (folder / "cmdline").read_bytes().endswith(b"\0-m\0bot\0run\0"):
                bots.add(number)
        except (FileNotFoundError, ProcessLookupError):
            continue  # the process has just ended

    def line(number: int) -> list[int]:
        return [number, *line(parents[number])] if number in parents else []

    return [number for number in parents if of in (above := line(number)) and bots & set(above)]


def taken(numbers: list[int]) -> tuple[float, float]:
    """Return memory in MiB and CPU seconds so far."""
    kib = ticks = 0
    for number in numbers:
        try:
            rollup = (PROC / str(number) / "smaps_rollup").read_text()
            stat = (PROC / str(number) / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        kib += int(rollup.partition("\nPss:")[2].split()[0])
        ticks += sum(int(word) for word in stat[11:15])
    return kib / 1024, ticks / TICKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--core", type=int, help="the one core that everything has")
    parser.add_argument("--seconds", type=int, default=120, help="how long people press")
    parser.add_argument("press", nargs="*", help="options of `python -m tools bench press`, behind `--`")
    asked = parser.parse_args()
    if asked.core is not None:
        os.sched_setaffinity(0, {asked.core})
    words = ["press", "--people", "4", "--rate", "1", "--seconds", str(asked.seconds), "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "tools.bench", *words, *asked.press], stdout=subprocess.PIPE, text=True
    ) as bench:
        samples = []
        while bench.poll() is None:
            if numbers := family(bench.pid):
                samples.append((*taken(numbers), len(numbers)))
            time.sleep(1)
        assert bench.stdout
        press = json.load(bench.stdout)
    found = {
        "mib_most": max(mib for mib, _, _ in samples),
        "mib_last": samples[-2][0],
        "processes": max(count for _, _, count in samples),
        "cpu_s": max(cpu for _, cpu, _ in samples),
        "seconds": len(samples),
        "press": press,
    }
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
