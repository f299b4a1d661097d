"""Version 1 of the probe game: among equal bidders the highest seat looks."""

from __future__ import annotations

from engine.game import Seat
from tests.support.games.probe import ProbeGame, ProbeState


class ProbeState1(ProbeState):
    ties = "highest"

    def _looker(self) -> Seat:
        best = max(self.bids)
        return max(seat for seat, bid in enumerate(self.bids) if bid == best)


class ProbeGame1(ProbeGame):
    version = 1
    position = ProbeState1


GAME = ProbeGame1()
