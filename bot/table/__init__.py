"""Live games: tables, their deadlines and their clocks. Independent of Discord and of pictures."""
