"""All pictures that the bot can draw, on one sheet."""
