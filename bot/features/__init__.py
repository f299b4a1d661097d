"""One folder per feature; `bot.ui.features` finds them."""
