"""The Discord layer: routes interactions to their handlers, and builds messages from plain values."""
