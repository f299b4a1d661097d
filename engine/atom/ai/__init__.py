"""Computer opponents of Atom: they decide from the observation of one seat."""
