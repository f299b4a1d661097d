"""Data stored about a person: export, deletion and privacy."""
