"""Messages that follow what happens, in channels and in hands."""
