"""The REST half of the local Discord."""
