"""Write what the cards of Atom Duel are worth: assets/cards/atom_duel_worth.json.

    python tools/atom_duel_worth.py

One line a table, by level and seats; in it the chance of each card to win a hand of random cards, in
thousandths, in the order of `engine.atom_duel.ai.worth.ways`. To be run when the cards or the rules of a hand
change; tests/engine/atom_duel/test_worth.py notices.
"""

from __future__ import annotations

import json
from pathlib import Path

from engine.atom_duel.ai.worth import DATA, SEATS, measured
from engine.atom_duel.cards import LEVELS

OUT = Path(__file__).resolve().parent.parent / "assets" / "cards" / DATA


def main() -> None:
    """Write the file."""
    lines = [
        f'  "{level}/{seats}": {json.dumps(measured(level, seats), separators=(",", ":"))}'
        for level in range(1, LEVELS + 1)
        for seats in SEATS
    ]
    OUT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
