"""Everything a table posts in its channel: its message, calls, threads and news."""
