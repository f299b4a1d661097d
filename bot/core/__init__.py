"""Foundations of a running bot: time, tasks, loops, locks, units and the lease."""
