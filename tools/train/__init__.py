"""Training: scripts that learn or fit the weights the opponents ship with."""
