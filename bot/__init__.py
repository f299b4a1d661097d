"""The Discord side of Valence."""
