"""Wagers read from a rule file or from a user: pay lines in order, and when the wager is offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from exact.rulefile.conditions import Reader
from exact.rulefile.document import Faults
from exact.rulefile.expression import Literal
from exact.rulefile.game import Game, PayLine, Wager
from exact.rulefile.meaning import Scope
from exact.rulefile.offering import moments, read_offer, when_offered


def read_wagers(game: Game, raw: Sequence[Mapping[str, Any]], file: str) -> tuple[Wager, ...]:
    """Wagers that a user gives beside a game, written as in a rule file."""
    faults = Faults(file)
    reader = Reader(faults, game.macros, game.chosen)
    reader.moments = moments(game.steps, game.facts, game.slot_columns)
    named = [(f"wager {item.get('name', place)!r}", item) for place, item in enumerate(raw, 1)]
    wagers = tuple(read_wager(reader, faults.keys("wager", where, item), where, game.facts) for where, item in named)
    faults.stop()
    return wagers


def read_wager(
    reader: Reader, raw: Mapping[str, Any], where: str, scope: Scope, record: Mapping[str, str] | None = None
) -> Wager:
    """One wager of a rule file or of a user."""
    if not isinstance(raw.get("name"), str) or not isinstance(raw.get("pays"), list) or not raw["pays"]:
        reader.faults.add(where, "a wager has a name and pays = [{ when = CONDITION, odds = FRACTION }, ...]")
        return Wager("", "", ())
    lines = [reader.faults.keys("pays", f"{where}.pays[{i}]", line) for i, line in enumerate(raw["pays"], 1)]
    pays = tuple(_pay_line(reader, f"{where}.pays[{i}]", line, scope) for i, line in enumerate(lines, 1))
    offer = read_offer(reader, where, raw["offer"]) if "offer" in raw else None
    known, text = reader.moments[offer.after][0] if offer else scope, when_offered(raw)
    offered = reader.read(f"{where}.offered", text, known, "truth") if text else None
    return Wager(
        raw["name"], str(raw.get("title", raw["name"])), pays, offered, text, str(raw.get("source", "")),
        bool(raw.get("assumed")), bool(raw.get("extra")), record or {}, offer,
    )  # fmt: skip


def _pay_line(reader: Reader, where: str, line: Mapping[str, Any], scope: Scope) -> PayLine:
    if "when" not in line or "odds" not in line:
        reader.faults.add(where, "a pay line has when = CONDITION and odds = FRACTION")
        return PayLine(Literal(False), "", Fraction(0))
    node, text = reader.read(f"{where}.when", line["when"], scope, "truth"), str(line["odds"])
    odds = reader.constant(f"{where}.odds", text)
    if isinstance(odds, bool) or not isinstance(odds, int | Fraction) or odds < -1:
        reader.faults.add(f"{where}.odds", f"odds must be a fraction of at least -1 such as 19/20, not {text!r}")
        odds = 0
    return PayLine(node, line["when"], Fraction(odds))
