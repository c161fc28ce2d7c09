"""The one error for what a user gave (a file, an option, a shoe, a condition), and the nearest name for its message."""

from collections.abc import Iterable


class InputError(ValueError):
    """Bad input: the message says what was wrong, where, and what was expected; the command line exits with 2."""


MOST = 25  # names that a message lists


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest known name or, where none is near, the known names.

    >>> nearest("bacarat", ["baccarat", "blackjack"])
    "did you mean 'baccarat'?"
    >>> nearest("whist", ["baccarat", "blackjack"])
    'known: baccarat, blackjack'
    """
    from difflib import get_close_matches  # not at the top: the command line starts without it

    names = list(known)
    close = get_close_matches(name, names, n=1)
    more = f", ... ({len(names)} in all)" if len(names) > MOST else ""
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(names[:MOST]) or 'none'}{more}"
