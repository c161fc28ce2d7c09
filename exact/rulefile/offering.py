"""Offers read from a rule file: wagers made in the course of a round, by what is known at that moment and no later."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from exact.errors import nearest
from exact.rulefile.conditions import Reader
from exact.rulefile.game import Offer, Shown, SlotColumn, Step
from exact.rulefile.meaning import Fact, Scope
from exact.rulefile.printed import keys_of


def moments(
    steps: Sequence[Step], facts: Mapping[str, Fact], slot_columns: Mapping[str, SlotColumn]
) -> dict[str, tuple[Scope, tuple[str, ...]]]:
    """For each step, by name, the columns known after it and the places dealt by then."""
    known, slots, found = dict[str, Fact](), tuple[str, ...](), dict[str, tuple[Scope, tuple[str, ...]]]()
    for step in steps:
        slots += step.slots
        columns = [name for name, source in slot_columns.items() if source.slot in step.slots]
        known |= {name: facts[name] for name in (*columns, *(name for name, _ in step.lets))}
        found[step.name] = dict(known), slots
    return found


def read_offer(reader: Reader, where: str, raw: Mapping[str, Any]) -> Offer | None:
    """The ``offer`` of a wager; None with a fault where it does not say when and to whom."""
    offer = reader.faults.keys("offer", f"{where}.offer", raw)
    step = str(offer.get("after"))
    if "on" not in offer or step not in reader.moments:
        reader.faults.add(f"{where}.offer", f"says on = BET and after = STEP; {nearest(step, reader.moments)}")
        return None
    scope, slots = reader.moments[step]
    sees = tuple(str(offer.get("sees", " ".join(slots))).split())
    for slot in sees:
        if slot not in slots:
            reader.faults.add(f"{where}.offer.sees", f"{slot!r} is not dealt by then; {nearest(slot, slots)}")
    shown = tuple(_shown(reader, f"{where}.offer", name, item, scope) for name, item in offer.get("shown", {}).items())
    most = reader.constant(f"{where}.offer.most", str(offer.get("most", "1")))
    if isinstance(most, bool) or not isinstance(most, int | Fraction) or most <= 0:
        reader.faults.add(f"{where}.offer.most", f"must be a positive number of bets, not {offer.get('most')!r}")
        most = 1
    once = reader.constant(f"{where}.offer.once", str(offer.get("once", "FALSE")))
    if not isinstance(once, bool):
        reader.faults.add(f"{where}.offer.once", f"must be true or false, not {offer.get('once')!r}")
    return Offer(str(offer["on"]), step, sees, shown, Fraction(most), once is True)


def _shown(reader: Reader, where: str, name: str, raw: Mapping[str, Any], scope: Scope) -> Shown:
    item = reader.faults.keys("shown", f"{where}.shown.{name}", raw)
    node = reader.read(f"{where}.shown.{name}.is", str(item.get("is", name)), scope, "integer")
    return Shown(name, node, keys_of(str(item.get("among", ""))))


def when_offered(raw: Mapping[str, Any]) -> str:
    """When a wager is offered, as one text: its own condition holds and what is shown is among the values listed."""
    texts = [_bracketed(raw["offered"])] if "offered" in raw else []
    for name, item in raw.get("offer", {}).get("shown", {}).items():
        if isinstance(item, Mapping) and (values := keys_of(str(item.get("among", "")))):
            texts.append(f"{_bracketed(str(item.get('is', name)))} IN ({', '.join(map(str, values))})")
    return " AND ".join(texts)


def _bracketed(text: str) -> str:
    return text if re.fullmatch(r"\w+", text) else f"({text})"
