"""Computer opponents of Molecular: they decide from the observation of one seat."""
