"""A hand: the private view of one seat, its choices, and the messages that show it."""
