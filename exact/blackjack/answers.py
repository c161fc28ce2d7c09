"""Solved games as reports: the tables and the JSON document of every command about blackjack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exact import __version__
from exact.answer import WAGER_COLUMNS, shoe_document
from exact.blackjack.bets import insurance, perfect_pairs
from exact.blackjack.cards import RANKS, cards_of, hand_text
from exact.blackjack.chart import UPS
from exact.blackjack.player import Action
from exact.blackjack.reach import action_counts
from exact.blackjack.rules import Rules, option_texts, rule_data
from exact.blackjack.solve import Solution
from exact.blackjack.total import Certificate
from exact.errors import InputError, nearest
from exact.report import Column, Report, Table
from exact.shoe import Shoe
from exact.wager import WagerFigures

SIDE_BETS = ("player_pair", "dealer_pair", "insurance")
BREAKDOWNS = {("up",): "up", ("hand", "up"): "hand,up"}
EXPECTATION = Column("expectation", "exact", "expectation", "value")
UNCONDITIONAL = "over all rounds, dealer blackjacks included"
CONDITIONAL = "given no dealer blackjack"
SIDE_BET_COLUMNS = tuple(column for column in WAGER_COLUMNS if column.name not in ("edge_resolved", "variance"))


@dataclass(frozen=True, slots=True)
class Described:
    """A solution with the preset and the shoe, suits and all, that it belongs to."""

    preset: str
    shoe: Shoe
    solution: Solution

    def provenance(self, conditional: bool = False) -> dict[str, Any]:
        """What a figure belongs to: program, rules, shoe, class of strategy, and over which rounds it is taken."""
        return {
            "game": "blackjack",
            "version": __version__,
            "rules": self.preset,
            "options": self.solution.rules.as_texts(),
            "shoe": shoe_document(self.shoe),
            "strategy": self.solution.strategy,
            "values": CONDITIONAL if conditional else UNCONDITIONAL,
        }

    def heading(self, conditional: bool = False) -> tuple[str, ...]:
        """The same for people, in two or three lines."""
        preset = rule_data()["presets"][self.preset]
        note = f" ({preset['note']})" if preset.get("note") else ""
        return (
            f"{preset['title']}{note}, {self.shoe.describe()}",
            f"strategy {self.solution.strategy}; values {CONDITIONAL if conditional else UNCONDITIONAL}",
        )


def game_report(
    described: Described,
    certificate: Certificate | None,
    wagers: Sequence[str],
    by: Sequence[str],
    conditional: bool,
) -> Report:
    """The report of ``exact compute blackjack``."""
    if tuple(by) not in {(), *BREAKDOWNS}:
        raise InputError(f"blackjack breaks down by {' or by '.join(BREAKDOWNS.values())}, not by {','.join(by)}")
    solution = described.solution
    value = solution.conditional if conditional else solution.expectation
    bets, left_out = side_bets(described, wagers)
    main = {"wager": "blackjack", "expectation": value, "edge": -value, "return_to_player": 1 + value}
    rows = [main, *(_bet_row(bet) for bet in bets)]
    tables = [
        Table("wagers", rows, SIDE_BET_COLUMNS, "Wagers, per unit staked"),
        Table("up_cards", _up_rows(solution), UP_COLUMNS, "By the dealer's up card, over all rounds"),
        Table("actions", _action_rows(solution), ACTION_COLUMNS, "How often each action is taken"),
    ]
    if tuple(by) == ("hand", "up"):
        tables.append(Table("hands", _hand_rows(solution), HAND_COLUMNS, "By first hand and up card, over all rounds"))
    document = {
        "expectation": value, "edge": -value, "value": float(value), "dealer_blackjack": solution.blackjack,
        "ties": solution.ties, **_certificate(certificate),
        "wagers": [row | {"value": float(row["expectation"])} for row in rows],
        "up_cards": tables[1].rows, "actions": tables[2].rows,
        **({"hands": tables[3].rows} if by and len(by) > 1 else {}),
    }  # fmt: skip
    lines = [f"ties between best actions: {solution.ties} (the first of {_order()} is taken)"] if solution.ties else []
    if certificate:
        lines.append(
            f"certificate: none of {certificate.changes} changes of a single cell gains; "
            f"{certificate.steps} steps from the chart of two-card weights"
        )
    return Report(
        described.provenance(conditional), tuple(tables), document, (*described.heading(conditional), *lines, *left_out)
    )


def _order() -> str:
    return ", ".join(action.name.lower() for action in Action)


def _certificate(certificate: Certificate | None) -> dict[str, Any]:
    if certificate is None:
        return {}
    return {
        "certificate": {
            "single_changes": certificate.changes,
            "best_gain": certificate.best_gain,
            "steps": certificate.steps,
        }
    }


def side_bets(described: Described, asked: Sequence[str]) -> tuple[list[WagerFigures], tuple[str, ...]]:
    """The side bets asked for, or all, and a line for each that this shoe or these rules leave out.

    Raises ``InputError`` for an unknown one, and for one asked for by name that cannot be had.
    """
    for name in asked:
        if name not in SIDE_BETS:
            raise InputError(f"blackjack has no side bet {name!r}; {nearest(name, SIDE_BETS)}")
    bets: list[WagerFigures] = []
    left_out: list[str] = []
    for name in asked or SIDE_BETS:
        if name == "insurance":
            figures = insurance(described.solution.shoe) if described.solution.rules.insurance else None
            reason = "insurance is not offered"
        else:
            figures = (
                perfect_pairs(described.shoe, name) if described.shoe.has_suits and described.shoe.size > 1 else None
            )
            reason = f"{name} needs two cards or more of known suits"
        if figures:
            bets.append(figures)
        elif asked:
            raise InputError(reason)
        else:
            left_out.append(f"not computed: {reason}")
    return bets, tuple(left_out)


def _bet_row(bet: WagerFigures) -> dict[str, Any]:
    return {
        "wager": bet.name, "expectation": bet.expectation, "edge": bet.edge,
        "standard_deviation": bet.standard_deviation, "hit_frequency": bet.hit_frequency,
        "return_to_player": bet.return_to_player, "offered": bet.offered,
    }  # fmt: skip


UP_COLUMNS = (
    Column("up", title="up card"),
    Column("probability", "exact", shown="value"),
    EXPECTATION,
    Column("contribution", "exact", "adds to expectation", "value"),
)


def _up_rows(solution: Solution) -> list[dict[str, Any]]:
    shoe = solution.shoe
    rows = []
    for up in UPS:
        probability, adds = Fraction(shoe.counts[up], shoe.size), solution.by_up[up]
        if probability:
            rows.append(
                {"up": RANKS[up], "probability": probability, "expectation": adds / probability, "contribution": adds}
            )
    return rows


ACTION_COLUMNS = (
    Column("action"),
    Column("probability", "exact", "first decision", "value"),
    Column("times", "exact", "times a round", "value"),
)


def _action_rows(solution: Solution) -> list[dict[str, Any]]:
    """How often an action is a round's first decision, and how often it is taken in a round, after a split too."""
    counts = action_counts(solution)
    rows = [
        {"action": action.name.lower(), "probability": solution.first_action(action), "times": counts[action]}
        for action in Action
    ]
    return [row for row in rows if row["times"] or row["probability"]]


HAND_COLUMNS = (
    Column("hand"),
    Column("up", title="up card"),
    Column("probability", "exact", shown="value"),
    Column("expectation", "exact", "adds to expectation", "value"),
)


def _hand_rows(solution: Solution) -> list[dict[str, Any]]:
    """Each first hand and up card with what it adds to the expectation of a round."""
    play, rows = solution.whole, []
    two = play.table.hands.levels[2]
    for row in range(two.start, two.stop):
        hand = hand_text(cards_of(tuple(play.table.hands.cards[row].tolist())))
        for up in UPS:
            ways = int(solution.deals[row, up])
            if ways:
                probability = Fraction(ways * int(play.table.orders[row, 0]), solution.total)
                adds = Fraction(ways * int(play.value[row, up]), solution.total * play.scale)
                rows.append({"hand": hand, "up": RANKS[up], "probability": probability, "expectation": adds})
    return rows


def rules_report(rules: Rules, chosen: str | None) -> Report:
    """The report of ``exact rules blackjack``: every option under every preset, or under the chosen one."""
    data = rule_data()
    presets = {name: preset for name, preset in data["presets"].items() if chosen in (None, name)}
    texts = {name: option_texts(name, {}) for name in data["presets"]}
    options = [
        {
            "option": name,
            "chosen": rules.as_texts()[name],
            **{preset: texts[preset][name] for preset in data["presets"]},
            "abbreviation": option["abbreviation"],
            "allowed": "; ".join(option["values"]),
            "meaning": option["meaning"],
            "source": option["source"],
        }
        for name, option in data["options"].items()
    ]
    columns = ("option", "chosen", *data["presets"], "abbreviation", "allowed", "meaning", "source")
    rows = [
        {"rules": name, "title": p["title"], "decks": p["decks"], "note": p.get("note", ""), "source": p["source"]}
        for name, p in presets.items()
    ]
    preset_columns = (Column("rules"), Column("title"), Column("decks", "integer"), Column("note"), Column("source"))
    tables = (
        Table("options", options, tuple(Column(name) for name in columns), "Options (--option NAME=VALUE)"),
        Table("presets", rows, preset_columns, "Rule sets (--option rules=NAME)"),
    )
    provenance = {"game": "blackjack", "version": __version__, "rules": chosen or "page", "options": rules.as_texts()}
    document = {"title": "Blackjack", "option_list": options, "presets": rows}
    return Report(provenance, tables, document, ("Blackjack: the options, and the rule sets side by side",))
