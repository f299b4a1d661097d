"""Benchmarks: each prints the figures that research/ and docs/ quote."""
