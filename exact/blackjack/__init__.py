"""Blackjack: the game with choices, valued exactly.

``rules`` (with `rules.toml`) says what is played; ``hands``, ``dealer`` and ``table`` count what a shoe can do, for all
hands at once; ``player`` and ``solve`` value every action and the whole game; ``reach`` says how often hands come up;
``chart``, ``total``, ``chartfile``, ``deviations`` and ``tips`` are about strategies that people can remember; ``bets``
about side bets; ``query``, ``figures``, ``answers``, ``strategies``, ``picture`` and ``solver`` answer the commands.
"""
