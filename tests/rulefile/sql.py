"""Random expressions of the rule language as texts, for the tests that hold every reader of it against SQL engines."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from exact.rulefile.meaning import TRUTH, Fact, integer

# Columns of a round: cards of which two may not be drawn, a truth value, and a text that may be NULL.
SCOPE = {
    "a": integer(0, 9),
    "b": Fact("integer", 0, 9, nullable=True),
    "c": Fact("integer", -100, 100, nullable=True),
    "n": TRUTH,
    "t": Fact("text", words=("x", "y", "z"), nullable=True),
}

# What an expression is made of: N stands for a number, T for a truth value, L for a literal number, W for a word.
LEAVES = {"N": ["a", "b", "c", "L"], "T": ["n", "TRUE", "b IS NULL", "c IS NOT NULL", "N = N", "N < N", "t = W"]}
SHAPES = {
    "N": ["N + N", "N - N", "N * N", "(N)", "-(N)", "ABS(N)", "SIGN(N)", "ABS(N) % 7", "COALESCE(N, N)",
          "CASE WHEN T THEN N ELSE N END", "CASE WHEN T THEN N WHEN T THEN N END",
          "CASE WHEN c >= 0 THEN c % 10 ELSE N END"],
    "T": ["N = N", "N <> N", "N != N", "N < N", "N <= N", "N > N", "N >= N", "N BETWEEN N AND N",
          "N NOT BETWEEN N AND N", "N IN (L, L)", "N NOT IN (L, N)", "t <> W", "t IN (W, W)",
          "COALESCE(t, W) = W", "CASE WHEN T THEN W ELSE t END = W", "T AND T",
          "T OR T", "NOT (T)", "(T)", "NOT n", "(T) = n"],
}  # fmt: skip


@st.composite
def expressions(draw: Callable[..., str], kind: str, depth: int = 3) -> str:
    """An expression of a kind (N or T), with shapes inside shapes so many levels deep."""
    shape = draw(st.sampled_from(LEAVES[kind] if depth == 0 else LEAVES[kind] + SHAPES[kind] * 2))
    parts = {
        "N": lambda: draw(expressions("N", max(0, depth - 1))),
        "T": lambda: draw(expressions("T", max(0, depth - 1))),
        "L": lambda: str(draw(st.integers(0, 300))),  # beyond Int8, so that a narrow column meets a wide constant
        "W": lambda: draw(st.sampled_from(["'x'", "'y'", "'z'"])),
    }
    pieces = shape.replace("(", "( ").replace(")", " )").replace(",", " ,").split()
    return " ".join(parts[piece]() if piece in parts else piece for piece in pieces)


rows = st.fixed_dictionaries(
    {
        "a": st.integers(0, 9),
        "b": st.none() | st.integers(0, 9),
        "c": st.none() | st.integers(-100, 100),
        "n": st.booleans(),
        "t": st.none() | st.sampled_from(["x", "y", "z"]),
    }
)
