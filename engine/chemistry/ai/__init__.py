"""Opponents of Compound Capture and Chemistry Canasta: they decide from the observation of one seat."""
