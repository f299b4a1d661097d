"""Timers, background loops and hourly work."""
