"""Worker processes: who works beside the event loop, for how long, and what happens when one hangs."""
