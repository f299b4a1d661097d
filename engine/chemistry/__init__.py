"""Three games over one set of decks: Chemistry Battle, Compound Capture, Chemistry Canasta."""
