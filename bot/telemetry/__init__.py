"""What an operator sees of the running bot: figures, its health, and one id through the lines of a press."""
