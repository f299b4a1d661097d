"""Computer opponents of Duel 52: they decide from the observation of one seat."""
