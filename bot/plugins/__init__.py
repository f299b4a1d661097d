"""Optional parts of the bot that entry points name. No other package imports them."""
