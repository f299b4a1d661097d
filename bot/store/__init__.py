"""Persistent data: games, their journals, people, results."""
