"""The tables that are published: every distinct round of a game, and the set for 1 to 12 decks."""
