"""The keys of a rule file, and the shape that the value of each must have, before anything is read from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

KEYS: Mapping[str, Mapping[str, str]] = {  # for each kind of table its keys, each with the shape of its value
    "": {
        "title": "text", "summary": "text", "extends": "text", "wagers": "names", "sources": "texts", "cards": "table",
        "attribute": "tables", "option": "tables", "define": "constants", "table": "tables", "records": "tables",
        "step": "entries", "wager": "entries", "breakdown": "tables",
    },
    "cards": {"ranks": "text", "suits": "text", "groups": "entries"},
    "attribute": {"rank": "constants", "suit": "constants", "is": "text", "source": "text"},
    "option": {
        "default": "constant", "values": "list", "least": "number", "most": "number", "meaning": "text",
        "source": "text", "reading": "truth", "assumed": "truth",
    },
    "table": {
        "title": "text", "arguments": "text", "row": "text", "column": "text", "columns": "text",
        "words": "constants", "cells": "constants", "source": "text",
    },
    "records": {"title": "text", "header": "text", "rows": "rows", "source": "text"},
    "breakdown": {"title": "text", "columns": "text"},
    "step": {
        "name": "text", "deal": "text", "draw": "text", "when": "text", "let": "constants", "source": "text",
        "after": "text",
    },
    "wager": {
        "name": "text", "title": "text", "pays": "entries", "offered": "text", "source": "text", "assumed": "truth",
        "extra": "truth", "each": "text", "if": "text", "offer": "table",
    },
    "pays": {"when": "text", "odds": "constant"},
    "offer": {
        "on": "text", "after": "text", "sees": "text", "shown": "tables", "most": "constant", "once": "constant",
    },
    "shown": {"is": "text", "among": "text"},
}  # fmt: skip
SHAPES = {
    "text": "a text in quotes",
    "truth": "true or false",
    "number": 'a number such as 2, 0.5 or "1/2"',
    "constant": "one text, number or truth value",
    "table": "a table",
    "list": "a list of texts, numbers or truth values",
    "names": "a list of file names",
    "entries": "a list of tables, one for each: [[...]] or [{ ... }]",
    "tables": "tables by name",
    "constants": "names, each with a text, number or truth value",
    "texts": "names, each with a text",
    "rows": "a list of lists",
}
_ITEMS = {"list": "constant", "names": "text", "entries": "table", "rows": "list"}
_VALUES = {"tables": "table", "constants": "constant", "texts": "text"}
_FRACTION = re.compile(r"-?\d+(/[1-9]\d*)?")


def fits(shape: str, value: object) -> bool:
    """Whether a value of a TOML file has a shape.

    >>> fits("rows", [["2", 3], []]), fits("number", "1/2"), fits("text", 2)
    (True, True, False)
    """
    if shape in _ITEMS:
        return isinstance(value, list) and all(fits(_ITEMS[shape], item) for item in value)
    if shape in _VALUES:
        return isinstance(value, dict) and all(fits(_VALUES[shape], item) for item in value.values())
    if shape == "number":
        return type(value) in (int, Fraction) or (isinstance(value, str) and bool(_FRACTION.fullmatch(value)))
    kinds = {"text": (str,), "truth": (bool,), "constant": (str, bool, int, Fraction), "table": (dict,)}
    return isinstance(value, kinds[shape])
