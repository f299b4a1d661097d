"""Live games: the hall, its tables, their clocks. Knows neither Discord nor pictures."""
