"""Solved games as reports: the tables and the JSON document of every command about blackjack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exact import __version__
from exact.answer import WAGER_COLUMNS, shoe_document
from exact.blackjack.bets import insurance, non_tens_needed, perfect_pairs
from exact.blackjack.cards import RANKS, cards_of, hand_text
from exact.blackjack.chart import UPS
from exact.blackjack.player import Action
from exact.blackjack.query import HandAnswer
from exact.blackjack.reach import action_counts
from exact.blackjack.rules import Rules, option_texts, rule_data
from exact.blackjack.solve import Solution
from exact.blackjack.total import Certificate
from exact.errors import InputError, nearest
from exact.output.report import Column, Count, Report, Table
from exact.shoe import Shoe
from exact.wager import WagerFigures

MAIN = "blackjack"  # the wager on the hand itself
SIDE_BETS = ("player_pair", "dealer_pair", "insurance")
BREAKDOWNS = {("up",): "up", ("hand", "up"): "hand,up"}
EXPECTATION = Column("expectation", "exact", "expectation", "value")
UNCONDITIONAL = "over all rounds, dealer blackjacks included"
CONDITIONAL = "given no dealer blackjack"
CONDITIONAL_GAME = "of the hand given no dealer blackjack, side bets and breakdowns over all rounds"
INSURED = "Insurance, per unit insured, over all rounds"
RUNS_OUT = "this shoe might run out in a round: nobody draws from an empty shoe, the dealer keeps the total he has"
SIDE_BET_COLUMNS = (
    *(column for column in WAGER_COLUMNS if column.name not in ("edge_resolved", "variance", "offered")),
    Column("offered", "exact", shown="fraction"),
)


@dataclass(frozen=True, slots=True)
class Described:
    """A solution with the preset and the shoe, suits and all, that it belongs to."""

    preset: str
    shoe: Shoe
    solution: Solution
    conditional: bool = False

    def values(self, conditional: str = CONDITIONAL) -> str:
        """Over which rounds the values are taken."""
        return conditional if self.conditional else UNCONDITIONAL

    def provenance(self, conditional: str = CONDITIONAL) -> dict[str, Any]:
        """What a figure belongs to: program, rules, shoe, class of strategy, and over which rounds it is taken."""
        return {
            "game": "blackjack",
            "version": __version__,
            "rules": self.preset,
            "options": self.solution.rules.as_texts(),
            "shoe": shoe_document(self.shoe),
            "strategy": self.solution.strategy,
            "values": self.values(conditional),
        }

    def heading(self, conditional: str = CONDITIONAL) -> tuple[str, ...]:
        """The same for people, in two or three lines: a preset whose options were changed is no longer what it says."""
        preset = rule_data()["presets"][self.preset]
        note = f" ({preset['note']})" if preset.get("note") else ""
        own, chosen = Rules.of(self.preset).as_texts(), self.solution.rules.as_texts()
        changed = ", ".join(f"{name}={text}" for name, text in chosen.items() if text != own[name])
        return (
            f"{preset['title']}{note}, {self.shoe.describe()}",
            *([f"changed in these rules: {changed}"] if changed else []),
            f"strategy {self.solution.strategy}; values {self.values(conditional)}",
        )


def game_report(
    described: Described, certificate: Certificate | None, wagers: Sequence[str], by: Sequence[str]
) -> Report:
    """The report of ``exact compute blackjack``."""
    if tuple(by) not in {(), *BREAKDOWNS}:
        raise InputError(f"blackjack breaks down by {' or by '.join(BREAKDOWNS.values())}, not by {','.join(by)}")
    solution = described.solution
    value = solution.conditional if described.conditional else solution.expectation
    bets, left_out = side_bets(described, wagers)
    main = {"wager": MAIN, "expectation": value, "edge": -value, "return_to_player": 1 + value}
    rows = [main, *(_bet_row(bet) for bet in bets)]
    ups, actions = _up_rows(solution), _action_rows(solution)
    hands = _hand_rows(solution) if tuple(by) == ("hand", "up") else []
    tables = (
        Table("wagers", rows, SIDE_BET_COLUMNS, "Wagers, per unit staked"),
        Table("up_cards", ups, UP_COLUMNS, "By the dealer's up card, over all rounds"),
        Table("actions", actions, ACTION_COLUMNS, "How often each action is taken, over all rounds"),
        Table("hands", hands, HAND_COLUMNS, "By first hand and up card, over all rounds"),
    )
    document: dict[str, Any] = {
        "expectation": value, "edge": -value, "value": float(value), "dealer_blackjack": solution.blackjack,
        "ties": solution.ties, **certificate_document(certificate),
        "wagers": [main | {"value": float(value)}, *map(_bet_document, bets)],
        "up_cards": ups, "actions": actions, **({"hands": hands} if hands else {}),
    }  # fmt: skip
    favourable = non_tens_needed(solution.shoe) if any(bet.name == "insurance" for bet in bets) else None
    if favourable is not None:
        document["insurance_favourable_after"] = favourable
    lines = [RUNS_OUT] if solution.may_run_out else []
    ties = [f"ties between best actions: {solution.ties} (the first of {_order()} is taken)"] if solution.ties else []
    heading = (*described.heading(CONDITIONAL_GAME), *lines, *ties, *certificate_line(certificate), *left_out)
    provenance = described.provenance(CONDITIONAL_GAME)
    return Report(provenance, tuple(table for table in tables if table.rows), document, heading)


def _order() -> str:
    return ", ".join(action.name.lower() for action in Action)


def certificate_document(certificate: Certificate | None) -> dict[str, Any]:
    """A certificate for programs, under its own name; nothing where there is none."""
    if certificate is None:
        return {}
    return {
        "certificate": {
            "single_changes": certificate.changes,
            "best_gain": certificate.best_gain,
            "steps": certificate.steps,
        }
    }


def certificate_line(certificate: Certificate | None) -> tuple[str, ...]:
    """A certificate in a line for people."""
    if certificate is None:
        return ()
    steps = f"{certificate.steps} step{'s' * (certificate.steps != 1)} from the chart that two-card weights give"
    return (f"certificate: none of the {certificate.changes} changes of a single cell gains; {steps}",)


def side_bets(described: Described, asked: Sequence[str]) -> tuple[list[WagerFigures], tuple[str, ...]]:
    """The side bets asked for, or all, and a line for each that this shoe or these rules leave out.

    Raises ``InputError`` for an unknown one, and for one asked for by name that cannot be had.
    """
    for name in asked:
        if name not in (MAIN, *SIDE_BETS):
            raise InputError(f"blackjack has no wager {name!r}; {nearest(name, (MAIN, *SIDE_BETS))}")
    bets: list[WagerFigures] = []
    left_out: list[str] = []
    for name in [name for name in asked or SIDE_BETS if name != MAIN]:
        if name == "insurance":
            figures = insurance(described.solution.shoe) if described.solution.rules.insurance else None
            reason = "insurance is not offered" if not described.solution.rules.insurance else "insurance needs an ace"
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


def _bet_document(bet: WagerFigures) -> dict[str, Any]:
    """A side bet as every wager stands in a document: ``value`` is the expectation as a number, rounded once."""
    pays = [
        {
            "when": line.when, "odds": line.odds, "ways": Count(line.ways), "probability": line.probability,
            "contribution": line.contribution,
        }
        for line in bet.lines
    ]  # fmt: skip
    lost = {"ways": Count(bet.lost), "probability": Fraction(bet.lost, bet.total)}
    more = {"value": float(bet.expectation), "variance": bet.variance, "pays": pays, "lost": lost}
    return _bet_row(bet) | more


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


def hand_report(described: Described, found: HandAnswer, seen: str | None) -> Report:
    """The report of ``exact hand``: each action's worth, the dealer's distribution, insurance."""
    best = found.worth[found.best]
    rows = [
        {
            "action": action.name.lower(), "expectation": worth, "costs": best - worth,
            "best": "best" if action is found.best else "",
        }
        for action, worth in sorted(found.worth.items(), key=lambda item: (-item[1], item[0]))
    ]  # fmt: skip
    ends = [{"end": end, "probability": probability} for end, probability in found.dealer.items()]
    insured = [] if found.insurance is None else [{"bet": "insurance", "expectation": found.insurance}]
    tables = (
        Table("actions", rows, HAND_ACTION_COLUMNS, "What each action is worth, in initial bets"),
        Table("dealer", ends, (Column("end"), Column("probability", "exact")), "The dealer's final total"),
        Table("insurance", insured, (Column("bet"), Column("expectation", "exact")), INSURED),
    )
    split = None if found.split is None else RANKS[found.split]
    asked = {"hand": str(found.query), "after_split": split, "seen": seen}
    document = {
        "total": found.total, "soft": found.soft, "best": found.best.name.lower(), "expectation": best,
        "value": float(best), "actions": rows, "dealer": ends, "insurance": found.insurance,
    }  # fmt: skip
    needed = None if found.insurance is None else non_tens_needed(described.solution.shoe)
    more = "more " if seen else ""
    favourable = f"insurance is favourable once {needed} {more}seen cards beyond the ace are none worth ten"
    after = f", one of two hands after splitting {split},{split}" if split else ""
    line = f"{found.query}: {'soft' if found.soft else 'hard'} {found.total}{after}"
    lines = (*described.heading(), line, *([favourable] if needed is not None else []))
    provenance = described.provenance() | {name: text for name, text in asked.items() if text}
    return Report(provenance, tuple(table for table in tables if table.rows), document, lines)


HAND_ACTION_COLUMNS = (
    Column("action"),
    Column("expectation", "exact"),
    Column("costs", "exact", "less than the best", "value"),
    Column("best", title=""),
)


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
