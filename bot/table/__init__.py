"""Live games: the tables, what they wait for, their clocks. Knows neither Discord nor pictures."""
