"""Computer opponents of Atom Duel: they decide from the observation of one seat."""
