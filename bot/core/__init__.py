"""What every part of a running bot needs: time, tasks, loops, locks, units and the lease."""
