"""Blackjack: the game with choices, valued exactly."""
