"""A replayed log of blackjack as a report: the findings, and what the player's choices cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from exact import __version__
from exact.answer import shoe_document
from exact.blackjack.cards import RANKS, hand_text
from exact.blackjack.log import Replayed, Spent
from exact.blackjack.logchoices import Choice
from exact.blackjack.rules import Rules
from exact.output.report import Column, Report, Table
from exact.shoe import Shoe
from exact.verify.answer import finding_tables, summary

COSTLIEST = 20  # hands that the table for people shows; the document holds all
COST, IN_MONEY = Column("cost", "exact", "cost, bets", "value"), Column("cost_in_money", "exact", "in money", "value")
BY_ACTION = (Column("taken"), Column("best"), Column("count", "integer"), COST, IN_MONEY)
HANDS = (
    Column("hand"), Column("up"), Column("split", title="split of"), Column("taken"), Column("best"),
    Column("count", "integer"), Column("cost_each", "exact", "cost each", "value"), COST, IN_MONEY,
)  # fmt: skip


def log_report(found: Replayed, preset: str, rules: Rules, shoe: Shoe, files: Sequence[str]) -> tuple[Report, int]:
    """The report and the exit code: 0 clean, 1 with findings; a choice that costs is no finding."""
    findings = found.findings
    provenance: dict[str, Any] = {
        "game": "blackjack", "version": __version__, "rules": preset, "options": rules.as_texts(),
        "shoe": shoe_document(shoe), "strategy": "cdp1", "values": _values(found, rules, shoe), "log": list(files),
        "read_as": list(found.said), "rounds": findings.rows, "shape_rows": findings.shape,
        "rule_rows": findings.rule, "not_checked": list(found.skipped),
    }  # fmt: skip
    tables, document = finding_tables(findings)
    hands = [_hand_row(choice, spent) for choice, spent in found.choices.items() if choice.cost]
    hands.sort(key=lambda row: (-row["cost"], row["hand"], row["up"], row["taken"]))
    actions = _by_action(found)
    cost = _sum([row["cost"] for row in hands])
    decisions = sum(spent.count for spent in found.choices.values())
    wrong = sum(row["count"] for row in hands)
    document["choices"] = {
        "rounds": found.judged, "decisions": decisions, "wrong": wrong, "cost": cost, "value": float(cost),
        "cost_per_round": cost / max(found.judged, 1), "cost_in_money": _sum([row["cost_in_money"] for row in hands]),
        "by_action": actions, "hands": hands,
    }  # fmt: skip
    played = f"{wrong:,} of {decisions:,} were not the best"
    spent = f"they cost {float(cost):.6g} initial bets, {float(cost / max(found.judged, 1)):.6g} a round"
    heading = (
        f"{findings.rows:,} rounds of blackjack ({preset}): {summary(findings)}",
        *(f"not checked: {skipped}" for skipped in found.skipped),
        f"choices: {played}; {spent}",
        f"strategy cdp1; values {_values(found, rules, shoe)}",
    )
    shown = (
        Table("choices", actions, BY_ACTION, "Choices that cost, by what was done and what is best"),
        Table("hands", hands[:COSTLIEST], HANDS, f"The costliest hands, {min(COSTLIEST, len(hands))} of {len(hands)}"),
    )
    tables = (*tables, *(table for table in shown if table.rows))
    return Report(provenance, tables, document, heading), int(bool(findings.found))


def _values(found: Replayed, rules: Rules, shoe: Shoe) -> str:
    given = ", given no dealer blackjack once he has peeked" if rules.hole_card == "peek" else ""
    seen = ", less the cards that the log says were seen before" if found.from_seen else ""
    return f"from a fresh shoe ({shoe.describe()}) in every round{seen}{given}"


def _hand_row(choice: Choice, spent: Spent) -> dict[str, Any]:
    return {
        "hand": hand_text(choice.hand), "up": RANKS[choice.up],
        "split": None if choice.split is None else RANKS[choice.split], "taken": choice.taken, "best": choice.best,
        "count": spent.count, "cost_each": choice.cost, "cost": choice.cost * spent.count,
        "cost_in_money": choice.cost * spent.stakes,
    }  # fmt: skip


def _by_action(found: Replayed) -> list[dict[str, Any]]:
    groups: defaultdict[tuple[str, str], list[tuple[Choice, Spent]]] = defaultdict(list)
    for choice, spent in found.choices.items():
        if choice.cost:
            groups[choice.taken, choice.best].append((choice, spent))
    rows: list[dict[str, Any]] = [
        {
            "taken": taken, "best": best, "count": sum(spent.count for _, spent in made),
            "cost": _sum([choice.cost * spent.count for choice, spent in made]),
            "cost_in_money": _sum([choice.cost * spent.stakes for choice, spent in made]),
        }
        for (taken, best), made in groups.items()
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (-row["cost"], row["taken"], row["best"]))


def _sum(values: Sequence[Fraction]) -> Fraction:
    """A sum over one denominator: thousands of fractions, each with its own, are slow to add in turn."""
    bottom = lcm(*(value.denominator for value in values))
    return Fraction(sum(value.numerator * (bottom // value.denominator) for value in values), bottom)
