"""The rules of the games: pure, without I/O, clock, Discord or pictures."""
