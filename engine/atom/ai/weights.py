"""What each number of `features` is worth, in parts of what a game can bring.

For four and for five players. How they were found: research/atom.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

HAND: Final[Mapping[str, tuple[float, float]]] = {
    "turns": (0.064, 0.071),
    "spent": (-0.024, 0.049),
    "spent_now": (-0.084, -0.032),
    "heavy": (-0.021, 0.0),
    "specials": (-0.08, -0.088),
    "blades": (-0.014, -0.003),
    "jokers": (-0.137, -0.279),
    "size": (-0.198, -0.016),
    "late_turns": (0.054, -0.025),
    "late_spent": (-0.106, 0.096),
    "late_now": (0.004, -0.074),
    "finish": (0.054, -0.251),
    "exit": (0.083, 0.115),
    "exit_soon": (0.3, 0.3),
    "split": (-0.026, 0.066),
    "cost": (0.174, 0.49),
    "last_two": (0.048, 0.16),
    "jokers_alone": (0.12, 0.4),
}
LEAD: Final[Mapping[str, tuple[float, float]]] = {
    "hold": (-0.084, 0.087),
    "look": (0.114, 0.131),
    "lets_out": (-0.461, -0.697),
    "locks_out": (0.086, 0.126),
    "friend": (0.247, 0.533),
    "one": (-0.019, 0.054),
    "two": (-0.015, 0.036),
    "heavy": (-0.052, 0.06),
    "risk": (-0.009, -0.001),
    "few": (0.465, -0.013),
    "risk_look": (-0.04, -0.133),
}
FOLLOW: Final[Mapping[str, tuple[float, float]]] = {
    "play": (0.061, -0.074),
    "over_ally": (-0.073, -0.188),
    "over_safe": (-0.024, 0.039),
    "hold": (-0.008, 0.035),
    "look": (0.11, 0.06),
    "pot_won": (0.024, 0.015),
    "risk": (0.011, 0.007),
    "points": (-0.016, -0.002),
    "yield_safe": (-0.156, -0.23),
    "yield_look": (-0.09, 0.111),
    "yield_heavy": (-0.544, -0.048),
    "owner_near": (-0.039, 0.01),
    "owner_near_hold": (0.152, 0.27),
    "pot_saved": (0.124, 0.053),
    "empty": (-0.011, -0.015),
    "any_near": (-0.01, -0.004),
    "near_hold": (0.032, 0.014),
    "ally_near": (0.06, -0.004),
    "last_word": (0.003, 0.073),
    "allies_after": (-0.029, 0.018),
    "pot_look": (0.04, 0.133),
    "risk_look": (-0.04, -0.133),
    "yield_safe_look": (-0.132, -0.44),
    "yield_strong": (-0.12, -0.4),
    "owner_near_look": (0.216, 0.72),
    "wasted": (-0.05, -0.16),
    "rich": (0.04, 0.0),
}
