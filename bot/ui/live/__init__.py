"""Messages in channels and hands that follow what happens."""
