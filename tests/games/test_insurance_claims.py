"""Every claim of page 003 (insurance baccarat), held against the rule file."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from exact.games import load
from exact.shoe import Shoe
from exact.trace import Trace, play

GAME = load("insurance-baccarat")
INSURANCES = [wager for wager in GAME.wagers if wager.offer]
FOLDER = Path(__file__).parents[2] / "data" / "claims"
CLAIMS = list(csv.DictReader((FOLDER / "003.csv").read_text(encoding="utf-8").splitlines()))
NOT_COMPUTED = {
    row["example_id"] for row in csv.DictReader((FOLDER / "not_computed.csv").read_text(encoding="utf-8").splitlines())
}
Data = Mapping[str, Any]
CARD = {0: "K", 1: "A"} | {value: str(value) for value in range(2, 10)}


@cache
def rounds() -> list[Trace]:
    """Rounds of every pair of two-card scores, every third card and some sixth cards."""
    return [
        play(GAME, ("K", "K", CARD[player], CARD[banker], CARD[third], last), INSURANCES)
        for player, banker, third, last in product(range(10), range(10), range(10), ("K", "6", "9"))
    ]


def scores(said: int | str) -> set[int]:
    return {int(score) for score in str(said).split("|")}


def acts(found: Trace, slot: str) -> str:
    return "stand" if found.row[slot] is None else "draw"


def check_value(given: Data, expected: Data) -> None:
    values = GAME.attributes["value"]
    assert {value for (rank, _), value in values.items() if rank == given["card"]} == {expected["value"]}


def check_deal(given: Data, expected: Data) -> None:
    assert [slot[0].upper() for slot in GAME.slots[: given["deal"]]] == expected["order"]
    assert sorted({int(str(r.row["player_cards"])) for r in rounds()}) == expected["cards_per_side"]
    assert Shoe.decks(expected["decks"]).size == 416


def check_pay(given: Data, expected: Data) -> None:
    """The main bets: net of a unit staked that wins."""
    wager = GAME.wager(given["bet"].lower().replace("_", "-"))
    assert given["won"] is True
    assert wager.pays[0].odds * given["stake"] == Fraction(Decimal(str(expected["net"])))
    won = {s.net for r in pairs_and_rounds() for s in r.settled if s.wager.name == wager.name and s.net and s.net > 0}
    assert won == {wager.pays[0].odds}


@cache
def pairs_and_rounds() -> list[Trace]:
    hands = product(("K 7 K A", "5 8 3 8", "K K 4 4", "2 9 7 9"), ("K", "4"), ("K", "9"))
    return [play(GAME, [*cards.split(), third, last]) for cards, third, last in hands]


def check_player(given: Data, expected: Data) -> None:
    found = [r for r in rounds() if r.row["player_two"] == given["player_two"] and int(str(r.row["banker_two"])) <= 7]
    assert given["banker_natural"] is False
    assert {acts(r, "p3") for r in found} == {expected["player_action"]}


def check_banker(given: Data, expected: Data) -> None:
    """After a stand (BS) or after a third card of this value (BT)."""
    found = [r for r in rounds() if r.row["banker_two"] == given["banker_two"] and not r.row["natural"]]
    if "player_two" in given:
        found = [r for r in found if r.row["player_two"] in scores(given["player_two"])]
        assert {acts(r, "p3") for r in found} == {"stand"}
    else:
        found = [r for r in found if r.row["p3"] == given["player_third_value"]]
        assert {acts(r, "p3") for r in found} == {given["player_action"]}
    assert {acts(r, "b3") for r in found} == {expected["banker_action"]}


def check_naturals(given: Data, expected: Data) -> None:
    found = [r for r in rounds() if r.row["banker_two"] in scores(given["banker_two"])]
    assert {acts(r, "p3") for r in found} == {expected["player_action"]}
    assert {acts(r, "b3") for r in found} == {expected["banker_action"]}


def check_offer(given: Data, expected: Data) -> None:
    """Offered exactly if the insured side leads, a card is still to come, and the state is in the table."""
    assert expected["insurance_offered"] is True
    made = 0
    for found in rounds():
        for settled in found.settled:
            side = settled.wager.offer.on if settled.wager.offer else ""
            other = "banker" if side == "player" else "player"
            record = settled.wager.record
            after_third = record["player_cards"] == "3"
            totals = {name: int(str(found.row[f"{name}_two"])) for name in ("player", "banker")}
            if after_third:
                totals["player"] = int(str(found.row["player_total"]))
            leads = totals[side] > totals[other]
            to_come = found.row["b3"] is not None or (not after_third and found.row["p3"] is not None)
            moment = not after_third or found.row["p3"] is not None
            in_table = all(
                int(low) <= totals[name] <= int(high or low)
                for name in ("player", "banker")
                for low, _, high in [record[name].partition("-")]
            )
            assert settled.offered == (leads and to_come and moment and in_table)
            made += settled.offered
    assert made > 0
    leading = [r for r in rounds() if r.row["player_two"] in (1, 2, 3, 4) and r.row["banker_two"] == 0]
    early = {s.wager.name for r in leading for s in r.settled if s.offered and s.wager.record["player_cards"] == "2"}
    assert early == set()  # a Player of 1 to 4 who leads is not sold


def check_limit(given: Data, expected: Data) -> None:
    """The stake is at most the main stake; the other reading: what it pays is."""
    by_stake = load("insurance-baccarat", {"insurance_stake": "main"})
    most = {wager.offer.most * given["main_stake"] for wager in by_stake.wagers if wager.offer}
    assert most == {expected["max_insurance_stake"]}
    by_payout = {wager.offer.most * wager.pays[0].odds for wager in INSURANCES if wager.offer}
    assert by_payout == {given["main_stake"]}


def check_row(given: Data, expected: Data) -> None:
    """A row of the insurance table: side, cards, totals, what wins, odds; and every round settles so."""
    name = f"{given['insured'][0].upper()}I-"
    matches = [
        wager
        for wager in INSURANCES
        if wager.name.startswith(name)
        and [wager.record[key] for key in ("player_cards", "banker_cards", "player", "banker")]
        == [
            str(given["player_cards"]),
            str(given["banker_cards"]),
            span(given["player_total"]),
            span(given["banker_total"]),
        ]
    ]
    assert len(matches) == 1
    wager, wins, odds = matches[0], expected["insurance_wins_on"], Fraction(Decimal(str(expected["pays_to_1"])))
    assert wager.offer
    assert wager.offer.on == given["insured"]
    nets = {(str(r.outcome).upper(), s.net) for r in rounds() for s in r.settled if s.wager is wager and s.offered}
    assert (wins, odds) in nets
    assert nets <= {(wins, odds), (given["insured"].upper(), -1), ("TIE", 0 if wins != "TIE" else odds)}


def span(ends: list[int]) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}-{ends[1]}"


CHECKS: dict[str, Callable[[Data, Data], None]] = {
    "VAL": check_value,
    "DEAL": check_deal,
    "PAY": check_pay,
    "P": check_player,
    "BS": check_banker,
    "BT": check_banker,
    "BN": check_naturals,
    "INS-OFFER": check_offer,
    "INS-LIMIT": check_limit,
    "INS-BI": check_row,
    "INS-PI": check_row,
}


def checker(claim: str) -> Callable[[Data, Data], None]:
    """How a claim is checked, by the longest beginning of its name that is known."""
    words = claim.split("-")[1:]
    heads = ("-".join(words[:length]) for length in range(len(words), 0, -1))
    return next(CHECKS[head] for head in heads if head in CHECKS)


@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if c["example_id"] not in NOT_COMPUTED], ids=lambda claim: claim["example_id"]
)
def test_claim(claim: dict[str, str]) -> None:
    checker(claim["example_id"])(json.loads(claim["input"]), json.loads(claim["expected"]))


def test_all_claims_but_one_are_checked() -> None:
    assert len(CLAIMS) == 139
    assert [c["example_id"] for c in CLAIMS if c["example_id"] in NOT_COMPUTED] == ["003-BET-1"]


def test_claims_of_the_table_are_its_rows_in_order() -> None:
    rows = [c["example_id"].removeprefix("003-INS-") for c in CLAIMS if c["kind"] == "table_row"]
    printed = next(record for record in GAME.records if record.name == "page")
    assert rows == [row[0] for row in printed.rows]
