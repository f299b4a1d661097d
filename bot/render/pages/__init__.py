"""Pictures that every game shares: boards, brackets, statistics, card pages."""
