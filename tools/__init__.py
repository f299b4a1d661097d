"""Tools of those who develop Valence: benchmarks, training, generated files. Not part of the wheel."""
