"""Figures of Molecular: placements, groups and pictures of large random boards; see molecular.md.

python bench/molecular.py --tiles 100 --boards 1000
"""

from __future__ import annotations

import argparse
import json

from bot.presenters.molecular.benchmark import measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiles", type=int, default=100)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(json.dumps(measure(asked.tiles, asked.boards, asked.seed), indent=1))


if __name__ == "__main__":
    main()
