"""Code shared by computer opponents. Their only input is an observation."""

from engine.ai.choosers import at_random

__all__ = ["at_random"]
