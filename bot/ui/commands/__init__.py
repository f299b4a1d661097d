"""What slash commands share: the tree, options, autocomplete, translations."""
