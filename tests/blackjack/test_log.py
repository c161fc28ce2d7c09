"""Logs of blackjack: dealt rounds are clean, a round with a cell changed is judged as the slow checker judges it."""

import csv
import json
import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import polars as pl
import pytest
from click.testing import CliRunner, Result

from exact.blackjack.logjudge import Judge
from exact.blackjack.rules import Rules, rule_data
from exact.cli import main
from exact.shoe import Shoe
from exact.solvers import LogAsked
from tests.blackjack.dealing import deal, sound

COLUMNS = ("player", "dealer", "actions", "stake", "insurance", "paid")
DECKS = 2
OPEN = {"double": "any", "split_pairs": "any", "split_or_fold": "false"}
TABLES = {
    "page": {},
    "vegas": OPEN | {"hole_card": "peek", "charlie": "none", "soft17": "hit"},
    "european": OPEN | {"double": "9-11", "ten_up_takes_double": "true", "charlie": "5", "surrender": "late"},
    "original bets": OPEN | {"hole_card": "original-bets", "charlie": "4", "charlie_beats_blackjack": "true",
                             "blackjack_beats_21": "false", "double_soft": "false"},
    "early": OPEN | {"hole_card": "peek", "surrender": "early", "das": "false", "split_aces": "free", "charlie": "5"},
    "late": OPEN | {"hole_card": "peek", "surrender": "late", "insurance": "false", "blackjack_pays": "6:5"},
    "peek and fold": {"hole_card": "peek", "split_pairs": "any", "soft17": "hit"},
    "refunds": OPEN | {"ace_up_takes_double": "false", "ten_up_takes_split": "false", "ace_up_takes_split": "false",
                       "charlie": "4", "blackjack_beats_21": "false"},
}  # fmt: skip


@cache
def judge(name: str) -> Judge:
    return Judge(
        Rules.of(options=TABLES[name]), Shoe.decks(DECKS), LogAsked(()), dict(zip(COLUMNS, COLUMNS, strict=True))
    )


def rounds(name: str, seed: int, number: int) -> list[dict[str, str]]:
    """Rounds played by chance, hitting often enough that hands grow long."""
    rng = Random(seed)

    def choose(cards, letters, up, split):
        return rng.choice(letters if sum(cards) > 11 else [one for one in letters if one != "S"] or letters)

    return [deal(rng, judge(name).rules, DECKS, choose) for _ in range(number)]


@pytest.mark.parametrize("name", TABLES)
def test_dealt_rounds_are_clean(name: str) -> None:
    for row in rounds(name, 1, 1500):
        assert sound(judge(name).rules, row), row
        assert judge(name).faults(_spelt(row))[1] == [], row


def changed(rng: Random, row: dict[str, str]) -> dict[str, str]:
    """The row with one cell changed: a card or an action more, less or other, or another amount."""
    column = rng.choice(COLUMNS)
    if column in ("stake", "paid", "insurance"):
        amount = Fraction(row[column] or "0") + rng.choice([-1, 1, 5, Fraction(1, 2)])
        return row | {column: str(float(amount))} if amount > 0 or column == "paid" else row
    known = "123456789" if column != "actions" else "SHDPRF"
    words = row[column].split()
    place = rng.randrange(len(words) + 1)
    other = rng.choice([*known, *(["10"] if column != "actions" else [])])
    replaced = [*words[:place], other, *words[place + 1 :]]
    less, more = [*words[:place], *words[place + 1 :]], [*words[:place], other, *words[place:]]
    return row | {column: " ".join(rng.choice([replaced, less, more]))}


@pytest.mark.parametrize("name", TABLES)
def test_one_changed_cell_is_judged_as_the_slow_checker_does(name: str) -> None:
    rng, verdicts = Random(2), []
    for row in rounds(name, 3, 1500):
        other = changed(rng, row)
        good = _sound(judge(name).rules, other)
        faults = judge(name).faults(_spelt(other))[1]
        assert bool(faults) != good, (row, other, faults)
        verdicts.append(good)
    assert 0.5 < verdicts.count(False) / len(verdicts) < 1


@pytest.mark.parametrize("name", TABLES)
def test_a_card_too_few_or_too_many_and_another_payment_are_always_caught(name: str) -> None:
    rng = Random(4)
    for row in rounds(name, 5, 300):
        card = str(rng.randrange(2, 11))
        cards = row["player"].split()
        for other in (
            {"paid": str(float(Fraction(row["paid"]) + rng.choice([-1, Fraction(1, 2), 3])))},
            {"player": f"{row['player']} {card}"},
            {"player": " ".join(cards[:-1])},
            {"dealer": ""},
            *([{"dealer": f"{row['dealer']} {card}"}] if len(row["dealer"].split()) > 1 else []),
        ):
            assert judge(name).faults(_spelt(row | other))[1], (row, other)


def _spelt(row: dict[str, str]) -> dict[str, str]:
    return {
        column: re.sub(r"\b1\b", "A", text) if column in ("player", "dealer") else text for column, text in row.items()
    }


def _sound(rules: Rules, row: dict[str, str]) -> bool:
    try:
        return sound(rules, row)
    except (ValueError, IndexError):  # no hand, no card, no amount
        return False


# -- findings, one kind each: options, row, the finding, the option that decides it ------------------------------------

ROW = {"player": "10 8", "dealer": "9 8", "actions": "S", "stake": "10", "insurance": "", "paid": "20"}
FINDINGS = [
    ("unreadable cards", {"player": "10 Z"}, {}, ""),
    ("unreadable cards", {"dealer": "-"}, {}, ""),
    ("unreadable action", {"actions": "S X"}, {}, ""),
    ("unreadable amount", {"paid": "ten"}, {}, ""),
    ("unreadable amount", {"stake": "-5"}, {}, ""),
    ("cards left over", {"player": "10 4 4"}, {}, ""),
    ("missing card", {"actions": "H S"}, {}, ""),
    ("hands and actions do not agree", {"player": "10 8 / 10 8"}, {}, ""),
    ("actions end before the hand", {"actions": ""}, {}, ""),
    ("more copies than the shoe holds", {"player": "7 7 7", "dealer": "7 7 7 7 7 7", "actions": "H"}, {}, ""),
    ("wrong settlement", {"paid": "10"}, {}, ""),
    ("wrong settlement", {"player": "A K", "actions": "", "paid": "20"}, {}, "blackjack_pays"),
    ("wrong settlement", {"player": "10 6", "actions": "R", "paid": "10"}, {"surrender": "late"}, "surrender"),
    ("wrong settlement", {"player": "8 8", "actions": "F", "paid": "5"}, {}, "fold"),
    ("wrong settlement", {"player": "2 2 2 2 2 2 A A", "actions": "H H H H H H", "dealer": "10 10", "paid": "0"},
     {"charlie": "8"}, "charlie"),
    ("wrong settlement", {"player": "6 5 3", "actions": "D", "dealer": "A K", "paid": "20"}, {}, "ace_up_takes_double"),
    ("wrong settlement", {"dealer": "A K", "insurance": "5", "paid": "0"}, {}, "hole_card"),
    ("may not insure", {"insurance": "5", "paid": "20"}, {}, "insurance"),
    ("insured too much", {"dealer": "A 6", "insurance": "6", "paid": "20"}, {}, "insurance"),
    ("dealer drew when it must stand", {"dealer": "9 8 2"}, {}, "soft17"),
    ("dealer drew when it must stand", {"dealer": "A 6 2"}, {"soft17": "stand"}, "soft17"),
    ("dealer stood when it must draw", {"dealer": "A 6"}, {"soft17": "hit"}, "soft17"),
    ("dealer stood when it must draw", {"dealer": "9 7"}, {}, "soft17"),
    ("dealer took no second card", {"dealer": "9"}, {}, "hole_card"),
    ("dealer took no second card", {"player": "A K", "actions": "", "dealer": "10", "paid": "25"}, {}, "hole_card"),
    ("played on after a dealer blackjack", {"dealer": "A K", "paid": "0"}, {"hole_card": "peek"}, "hole_card"),
    ("acted after the end of the hand", {"player": "6 5 3 7", "actions": "D H"}, {}, "double"),
    ("acted after the end of the hand", {"player": "10 8 9", "actions": "H S"}, {}, ""),
    ("acted after the end of the hand", {"player": "10 2 7", "actions": "S H"}, {}, ""),
    ("may not double", {"player": "5 5 8", "actions": "D"}, {}, "double"),
    ("may not double", {"player": "A 6 2", "actions": "D"}, OPEN | {"double_soft": "false"}, "double_soft"),
    ("may not double", {"player": "8 3 9 / 8 10", "actions": "P D / S"}, {"das": "false"}, "das"),
    ("may not hit", {"player": "8 8 2", "actions": "H S"}, {}, "split_or_fold"),
    ("may not hit", {"player": "A 5 2 / A 10", "actions": "P H / S"}, {}, "split_aces"),
    ("may not hit", {"player": "A 2 2 A 2", "actions": "H H H S"}, {"charlie": "4"}, "charlie"),
    ("may not split", {"player": "9 3 / 9 10", "actions": "P S / S"}, {}, "split_pairs"),
    ("may not split", {"player": "8 3 / 9 10", "actions": "P S / S"}, {}, "split_pairs"),
    ("split again", {"player": "8 3 / 8 10 / 8 9", "actions": "P S / P S / S"}, {}, "split_hands"),
    ("may not surrender", {"actions": "R"}, {}, "surrender"),
    ("may not fold", {"actions": "F"}, {}, "split_or_fold"),
    ("wrong total", {"player_total": "19"}, {}, ""),
    ("wrong total", {"dealer_total": "blackjack"}, {}, ""),
    ("wrong result", {"result": "lose"}, {}, ""),
    ("unreadable result", {"result": "perhaps"}, {}, ""),
    ("unreadable total", {"player_total": "many"}, {}, ""),
]  # fmt: skip


def write(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def verify(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["verify", "log", *map(str, arguments), "--game", "blackjack"], prog_name="exact")


@pytest.mark.parametrize(("fault", "cells", "options", "option"), FINDINGS)
def test_findings(tmp_path: Path, fault: str, cells: dict[str, str], options: dict[str, str], option: str) -> None:
    path = write(tmp_path / "log.csv", [ROW | dict.fromkeys(cells.keys() - ROW.keys(), ""), ROW | cells])
    chosen = [f"-O{name}={value}" for name, value in options.items()]
    result = verify(path, "--decks", 2, "--paid", "returned", "--format", "json", *chosen)
    assert result.exit_code == 1, result.output
    found = json.loads(result.stdout)
    (finding,) = found["shape"] + found["rule"]
    assert (finding["finding"], finding["line"], finding["count"], finding["share"]) == (fault, 3, 1, 0.5)
    assert finding["rule"].partition("=")[0] == option
    assert finding["source"] == (rule_data()["options"][option]["source"] if option else "")
    assert finding["expected"] or fault.startswith("unreadable")


def test_a_shoe_that_deals_too_much_is_counted_over_its_rounds(tmp_path: Path) -> None:
    rows = [ROW | {"shoe": shoe} for shoe in "AAAAAABBBBBB"]  # each deals two eights; one deck has four
    result = verify(write(tmp_path / "log.csv", rows), "--decks", 1, "--format", "json")
    (finding,) = json.loads(result.stdout)["shape"]
    assert (finding["count"], finding["line"], finding["seen"]) == (8, 4, "6 of 8")


# -- what choices cost -------------------------------------------------------------------------------------------------


def worth(hand: str, *arguments: str) -> dict[str, Fraction]:
    result = CliRunner().invoke(main, ["hand", "blackjack", hand, *arguments, "--format", "json"], prog_name="exact")
    return {row["action"]: Fraction(row["expectation"]) for row in json.loads(result.stdout)["actions"]}


CHOICES = [
    ({"player": "10 6", "dealer": "7 10", "actions": "S", "paid": "0"}, "10,6 v 7", "stand", "hit", []),
    ({"player": "6 2 3 9", "dealer": "6 10 8", "actions": "H H S", "paid": "20"}, "6,2,3 v 6", "hit", "hit", []),
    ({"player": "9 9", "dealer": "9 9", "actions": "S", "paid": "10"}, "9,9 v 9", "stand", "split",
     ["rules=vegas-strip"]),
    ({"player": "10 6", "dealer": "10 7", "actions": "S", "paid": "0"}, "10,6 v 10", "stand", "hit",
     ["rules=vegas-strip"]),
    ({"player": "10 2 10", "dealer": "A 7", "actions": "H", "paid": "0"}, "10,2 v A", "hit", "hit",
     ["rules=atlantic-city"]),
]  # fmt: skip


@pytest.mark.parametrize(("row", "hand", "taken", "best", "options"), CHOICES)
def test_a_choice_costs_the_difference_of_its_values(
    tmp_path: Path, row: dict[str, str], hand: str, taken: str, best: str, options: list[str]
) -> None:
    chosen = [part for option in options for part in ("-O", option)]
    path = write(tmp_path / "log.csv", [ROW | row])
    result = verify(path, "--decks", 6, "--format", "json", "--paid", "returned", *chosen)
    assert result.exit_code == 0, result.output
    values = worth(hand, "--decks", "6", *chosen, *(["--conditional"] if options else []))
    choices = json.loads(result.stdout)["choices"]
    assert best == max(values, key=values.__getitem__)
    costs = {(one["hand"], one["taken"]): Fraction(one["cost"]) for one in choices["hands"]}
    expected = values[best] - values[taken]
    assert costs.get((",".join(sorted(hand.split(" v ")[0].split(","), key=_order)), taken), 0) == expected
    assert Fraction(choices["cost_in_money"]) == 10 * Fraction(choices["cost"])


def _order(card: str) -> int:
    return 1 if card == "A" else int(card)


def test_giving_up_before_the_peek_is_a_choice_of_its_own(tmp_path: Path) -> None:
    chosen = ("--decks", "6", "-O", "rules=vegas-strip", "-O", "surrender=early")
    row = ROW | {"player": "10 6", "dealer": "A 7", "actions": "S", "paid": "0"}
    result = verify(write(tmp_path / "log.csv", [row]), "--format", "json", *chosen)
    over_all, given = worth("10,6 v A", *chosen), worth("10,6 v A", *chosen, "--conditional")
    costs = {
        (one["taken"], one["best"]): Fraction(one["cost"]) for one in json.loads(result.stdout)["choices"]["hands"]
    }
    declined = over_all["surrender"] - max(over_all["hit"], over_all["stand"])
    assert costs[("play on", "surrender")] == declined
    assert costs[("stand", "hit")] == given["hit"] - given["stand"]
    assert len(costs) == 2


def test_cards_that_the_log_says_were_seen_are_out_of_the_shoe(tmp_path: Path) -> None:
    row = ROW | {"player": "10 6", "dealer": "10 7", "actions": "S", "paid": "0"}
    rows = [row | {"seen": seen} for seen in ("", "5 5 5 5", "4,4,5,5,3", "5 5 5 5 5 5 5 5 5")]
    result = verify(write(tmp_path / "log.csv", rows), "--decks", 2, "--paid", "returned", "--format", "json")
    found = json.loads(result.stdout)
    fresh, fives, fours = (
        worth("10,6 v 10", "--decks", "2", *(["--seen", seen] if seen else [])) for seen in ("", "5,5,5,5", "4,4,5,5,3")
    )
    costs = sorted(Fraction(one["cost"]) for one in found["choices"]["hands"])
    assert costs == sorted(
        max(one.values()) - one["stand"] for one in (fresh, fives, fours) if one["hit"] > one["stand"]
    )
    assert [(one["finding"], one["line"], one["seen"]) for one in found["shape"]] == [
        ("more copies than the shoe holds", 5, "9 of 5")
    ]
    assert "less the cards that the log says were seen" in found["values"]


def test_insurance_costs_what_it_is_worth(tmp_path: Path) -> None:
    row = ROW | {"dealer": "A 7", "insurance": "5", "paid": "10"}
    result = verify(write(tmp_path / "log.csv", [row]), "--decks", 6, "--paid", "returned", "--format", "json")
    (cost,) = [one for one in json.loads(result.stdout)["choices"]["hands"] if one["taken"] == "insure"]
    assert Fraction(cost["cost"]) == -(Fraction(3 * (96 - 1), 309) - 1) / 2


@pytest.mark.parametrize("name", ["page", "vegas", "early"])
def test_the_best_play_costs_nothing(name: str) -> None:
    choices = judge(name).choices
    letters = {action: action.name[0] for action in choices.solution.whole.worth} | {3: "P", 4: "R"}

    def best(cards, allowed, up, split):
        worth = choices.worth(tuple(c - 1 for c in cards), split - 1 if split else None, up - 1)
        return letters[max(worth, key=worth.__getitem__)]

    rng, seen = Random(6), 0
    for _ in range(800):
        dealt, faults = judge(name).faults(_spelt(deal(rng, judge(name).rules, DECKS, best) | {"insurance": ""}))
        assert all(fault.about == "the bet" for fault in faults)  # the insurance is left out, and so was not paid
        assert dealt is not None
        for choice in choices.made(dealt):
            assert choice.cost == 0 or choice.taken == "no insurance", choice
            seen += 1
    assert seen > 800


# -- files -------------------------------------------------------------------------------------------------------------


def test_every_kind_of_file_and_spelling_reads_alike(tmp_path: Path) -> None:
    rows = [_spelt(row) for row in rounds("vegas", 7, 200)]
    chosen = [part for name, value in TABLES["vegas"].items() for part in ("-O", f"{name}={value}")]
    words = {"H": "Hit", "S": "Stand", "D": "double", "P": "Split"}
    other = [
        {
            "Player Cards": row["player"].replace("10", "Q♠").replace(" ", ""),
            "House": row["dealer"].replace("10", "t"),
            "Decisions": ", ".join(words.get(letter, letter) for letter in row["actions"].split()),
            "Bet": f"${row['stake']}.00",
            "insured": row["insurance"] or "no",
            "Payout": row["paid"],
        }
        for row in rows
    ]  # fmt: skip
    lines = tmp_path / "log.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    pl.DataFrame(rows).with_columns(pl.col("stake").cast(pl.Int64), pl.col("paid").cast(pl.Float64)).write_parquet(
        tmp_path / "log.parquet"
    )
    paths = [write(tmp_path / "log.csv", rows), write(tmp_path / "other.csv", other), lines, tmp_path / "log.parquet"]
    documents = []
    for path in paths:
        result = verify(path, "--decks", 6, "--format", "json", *chosen)
        assert result.exit_code == 0, result.output
        documents.append(json.loads(result.stdout)["choices"])
    assert documents[0]["wrong"] > 50
    assert all(found == documents[0] for found in documents)


def test_net_payments_are_recognised_and_rounding_is_an_option(tmp_path: Path) -> None:
    rows = [ROW | {"paid": "10"}, ROW | {"player": "A K", "actions": "", "stake": "5", "paid": "7"}]
    path = write(tmp_path / "log.csv", rows)
    assert verify(path, "--rounding", "floor").exit_code == 0
    assert verify(path).exit_code == 1
    assert "payments are net" in verify(path).output


def test_rows_that_fail_are_written_whole(tmp_path: Path) -> None:
    path = write(tmp_path / "log.csv", [ROW, ROW | {"paid": "3"}, ROW | {"dealer": "?"}])
    assert verify(path, "--paid", "returned", "-o", tmp_path / "wrong.csv").exit_code == 1
    with (tmp_path / "wrong.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert [(row["line"], row["shape"], row["rule"], row["paid"]) for row in found] == [
        ("3", "", "wrong settlement (the bet)", "3"),
        ("4", "unreadable cards (dealer)", "", "20"),
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--strict",), "--strict guesses no column"),
        (("--strict", "--columns", "player=player,dealer=dealer,actions=actions,stake=stake,paid=paid"), "--paid"),
        (("--columns", "plyer=player"), "did you mean 'player'"),
        (("--columns", "player=Hand"), "no column 'Hand'"),
        (("--cards", "ranks"), "--cards is for logs of rule files"),
        (("--readings",), "--readings is for logs of rule files"),
        (("--wager", "insurance"), "leave out --wager"),
        (("--option", "strategy=total"), "strategy=cdp1"),
        (("--option", "soft18=hit"), "no option 'soft18'"),
    ],
)
def test_refusals(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    result = verify(write(tmp_path / "log.csv", [ROW]), *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


def test_a_log_no_round_of_which_can_be_read_is_refused(tmp_path: Path) -> None:
    result = verify(write(tmp_path / "log.csv", [ROW | {"player": "??"}]))
    assert result.exit_code == 2
    assert "no round can be read: unreadable cards in player, '??'" in result.stderr


def test_suits_are_counted_where_the_shoe_has_them(tmp_path: Path) -> None:
    path = write(tmp_path / "log.csv", [ROW, ROW | {"player": "10S 8H", "dealer": "9♠ 8♥"}])
    assert json.loads(verify(path, "--decks", 1, "--format", "json").stdout)["shape"][0]["seen"] == "2 of 8H"
    assert verify(path, "--shoe", "A=4,2=4,7=4,8=4,9=4,10=16").exit_code == 0


def test_a_log_without_actions_is_refused(tmp_path: Path) -> None:
    result = verify(write(tmp_path / "log.csv", [{"player": "10 8", "dealer": "9 8"}]))
    assert result.exit_code == 2
    assert "no column for actions" in result.stderr
