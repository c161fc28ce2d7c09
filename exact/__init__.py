"""Exact combinatorial calculator of casino card games: every card sequence is counted, nothing is sampled."""

__version__ = "0.1.0"
