"""What presses do: one module for each kind of message, each with its handlers by verb."""
