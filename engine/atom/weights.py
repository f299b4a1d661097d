"""What each number of `features` is worth, in parts of what a game can bring.

For four and for five players. How they were found: docs/opponents.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

HAND: Final[Mapping[str, tuple[float, float]]] = {
    "turns": (0.064, 0.147),
    "spent": (-0.024, 0.01),
    "spent_now": (-0.084, -0.032),
    "heavy": (-0.021, -0.021),
    "specials": (-0.08, -0.071),
    "blades": (-0.014, -0.011),
    "jokers": (-0.137, -0.286),
    "size": (-0.198, -0.026),
    "late_turns": (0.054, -0.023),
    "late_spent": (-0.106, 0.089),
    "late_now": (0.004, 0.064),
    "finish": (0.054, -0.794),
    "exit": (0.083, 0.137),
    "split": (-0.026, 0.136),
    "cost": (0.174, 0.465),
    "last_two": (0.048, 0.16),
    "jokers_alone": (0.12, 0.4),
}
LEAD: Final[Mapping[str, tuple[float, float]]] = {
    "hold": (-0.084, 0.184),
    "look": (0.114, 0.074),
    "lets_out": (-0.461, -0.564),
    "locks_out": (0.086, 0.122),
    "friend": (0.247, 0.58),
    "one": (-0.019, 0.11),
    "two": (-0.015, 0.064),
    "heavy": (-0.052, 0.081),
    "risk": (-0.009, -0.001),
    "few": (0.465, -0.206),
    "risk_look": (-0.04, -0.133),
}
FOLLOW: Final[Mapping[str, tuple[float, float]]] = {
    "play": (0.061, -0.149),
    "over_ally": (-0.073, -0.208),
    "over_safe": (-0.024, 0.101),
    "hold": (-0.008, -0.006),
    "look": (0.11, 0.057),
    "pot_won": (0.024, 0.023),
    "risk": (0.011, 0.005),
    "points": (-0.016, 0.007),
    "yield_safe": (-0.156, -0.098),
    "yield_look": (-0.09, 0.144),
    "yield_heavy": (-0.544, -0.095),
    "owner_near": (-0.039, 0.2),
    "owner_near_hold": (0.152, 0.215),
    "pot_saved": (0.124, 0.026),
    "empty": (-0.011, -0.003),
    "any_near": (-0.01, -0.03),
    "near_hold": (0.032, -0.03),
    "ally_near": (0.06, 0.13),
    "last_word": (0.003, 0.096),
    "allies_after": (-0.029, 0.056),
    "pot_look": (0.04, 0.133),
    "risk_look": (-0.04, -0.133),
    "yield_safe_look": (-0.132, -0.44),
    "yield_strong": (-0.12, -0.4),
    "owner_near_look": (0.216, 0.72),
    "wasted": (-0.05, -0.05),
    "rich": (0.04, 0.04),
}
