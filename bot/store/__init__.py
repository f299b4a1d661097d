"""What outlives the process: games, their journals, people, results."""
