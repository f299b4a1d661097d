"""Discord: from an interaction to its handler, and from plain values to messages."""
