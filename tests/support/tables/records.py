"""Records of finished games."""

from __future__ import annotations

from engine import catalog, record
from engine.fair import Commitment

FAIR = Commitment(bytes(range(32)), bytes(16))


def game(version: int = 2) -> record.Record:
    """All bid the same, so that another seat looks by rules 1 than by rules 2."""
    probe = catalog.get("probe").at(version)
    setup = probe.setup(3, FAIR.deal_key([7]), rounds=1)
    state, done = probe.deal(setup), []
    while seats := state.to_act():
        done.append((seats[0], state.legal_actions(seats[0])[0]))
        state.apply(*done[-1])
    return record.write(setup, done, commitment=FAIR, entropy=[7], names=["Ada", "[b]Ben[/b]", ""])
