"""What players at a table may do and what they asked for."""
