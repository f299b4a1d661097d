"""Foundations of a running bot: time, tasks, the scheduler, locks, units and the lease."""
