"""Shaping names in every script."""
