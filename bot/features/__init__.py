"""One folder per feature; `bot.ui.feature_loader` finds them."""
