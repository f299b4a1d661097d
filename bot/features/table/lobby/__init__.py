"""The lobby of a table: opening it, filling its seats, and dealing."""
