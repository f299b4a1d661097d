"""The shared parts of slash commands: the tree, options, autocomplete, translations."""
