"""The command line of blackjack: what people see, what programs read, and what is refused."""

import csv
import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

from exact.cli import main
from exact.polynomial.effects import effects
from exact.shoefile import ShoeRequest
from exact.solvers import Question

PAGE_6 = Fraction(-168001123112619734643677679443297, 13786502771952576963896362593204375)


@pytest.fixture
def exact(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(main, list(arguments), prog_name="exact")


def document(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_compute(exact):
    found = document(exact("compute", "blackjack", "--decks", "6", "--format", "json"))
    assert (found["game"], found["strategy"], found["rules"]) == ("blackjack", "cdp1", "page")
    assert Fraction(found["expectation"]) == PAGE_6 == -Fraction(found["edge"])
    assert found["value"] == float(PAGE_6)
    assert found["values"] == "over all rounds, dealer blackjacks included"
    assert {row["wager"]: row["expectation"] for row in found["wagers"]} == {
        "blackjack": found["expectation"], "player_pair": "-19/311", "dealer_pair": "-19/311", "insurance": "-23/311"
    }  # fmt: skip
    assert sum(Fraction(row["contribution"]) for row in found["up_cards"]) == PAGE_6
    assert {row["action"] for row in found["actions"]} == {"stand", "hit", "double", "split", "fold"}
    assert found["shoe"]["cards"] == 312


def test_six_decks_are_the_page_s_default(exact):
    assert Fraction(document(exact("compute", "blackjack", "--format", "json"))["expectation"]) == PAGE_6


def test_breakdown_by_hand_adds_up(exact):
    found = document(exact("compute", "blackjack", "--by", "hand,up", "--decks", "1", "--format", "json"))
    assert sum(Fraction(row["expectation"]) for row in found["hands"]) == Fraction(found["expectation"])
    assert sum(Fraction(row["probability"]) for row in found["hands"]) == 1


def test_conditional(exact):
    peek = ("compute", "blackjack", "--decks", "1", "--option", "rules=vegas-strip", "--format", "json")
    plain, given = document(exact(*peek)), document(exact(*peek, "--conditional"))
    # Given no dealer blackjack insurance is always lost: what is not of the hand stays over all rounds, and is said to.
    assert given["values"] == "of the hand given no dealer blackjack, side bets and breakdowns over all rounds"
    assert [bet["expectation"] for bet in given["wagers"][1:]] == [bet["expectation"] for bet in plain["wagers"][1:]]
    assert given["up_cards"] == plain["up_cards"]
    hand = ("hand", "blackjack", "10,9 v A", "--option", "rules=vegas-strip", "--conditional")
    assert document(exact(*hand, "--format", "json"))["values"] == "given no dealer blackjack"
    assert "Insurance, per unit insured, over all rounds" in exact(*hand).stdout
    assert Fraction(given["expectation"]) > Fraction(plain["expectation"])
    refused = exact("compute", "blackjack", "--conditional")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "need hole_card=peek; it is none" in refused.stderr


def test_changed_options_stand_beside_the_title_of_their_rules(exact):
    changed = exact("compute", "blackjack", "--decks", "1", "--option", "das=no", "--option", "hole_card=peek").stdout
    takes = "ace_up_takes_double=false, ten_up_takes_split=false, ace_up_takes_split=false"
    assert f"\nchanged in these rules: hole_card=peek, das=false, {takes}\nstrategy cdp1;" in changed
    same = exact("compute", "blackjack", "--decks", "1", "--option", "das=yes").stdout
    assert "changed in these rules" not in same


def test_total_says_its_certificate(exact):
    found = document(exact("compute", "blackjack", "--strategy", "total", "--decks", "1", "--format", "json"))
    assert found["strategy"] == "total"
    assert Fraction(found["certificate"]["best_gain"]) <= 0
    assert found["certificate"]["single_changes"] > 300


def test_hand(exact):
    found = document(exact("hand", "blackjack", "8,8 v 10", "--format", "json"))
    assert (found["hand"], found["best"], found["total"], found["soft"]) == ("8,8 v 10", "fold", 16, False)
    assert {row["action"]: row["expectation"] for row in found["actions"]}["fold"] == "-1/5"
    assert sum(Fraction(row["probability"]) for row in found["dealer"]) == 1
    text = exact("hand", "blackjack", "8,8 v 10").stdout
    assert "8,8 v 10: hard 16" in text
    assert "strategy cdp1; values over all rounds, dealer blackjacks included" in text


def test_hand_in_the_middle_after_a_split_and_with_seen_cards(exact):
    split = document(exact("hand", "blackjack", "8,3 v 6", "--split", "8", "--format", "json"))
    assert split["after_split"] == "8"
    assert {row["action"] for row in split["actions"]} == {"stand", "hit", "double"}
    seen = document(exact("hand", "blackjack", "7,8 v A", "--decks", "1", "--seen", "2,3,4,5,6", "--format", "json"))
    assert seen["insurance"] == "1/11"
    text = exact("hand", "blackjack", "10,9 v A", "--decks", "6").stdout
    assert "insurance is favourable once 24 seen cards beyond the ace are none worth ten" in text
    text = exact("hand", "blackjack", "10,9 v A", "--decks", "6", "--seen", "2,3,4").stdout
    assert "insurance is favourable once 21 more seen cards beyond the ace are none worth ten" in text


def test_a_shoe_that_might_run_out_says_so(exact):
    assert "nobody draws from an empty shoe" in exact("compute", "blackjack", "--shoe", "2=2,8=4,10=6").stdout
    assert "empty shoe" not in exact("compute", "blackjack", "--decks", "1").stdout


def test_side_bets_stand_in_the_document_like_every_wager(exact):
    found = document(exact("compute", "blackjack", "--decks", "8", "--wager", "player_pair", "--format", "json"))
    bet = next(row for row in found["wagers"] if row["wager"] == "player_pair")
    assert [line["odds"] for line in bet["pays"]] == ["25/1", "12/1", "6/1"]
    assert (bet["pays"][0]["ways"], bet["lost"]["ways"]) == ("2912", "159744")
    assert sum(Fraction(line["contribution"]) for line in bet["pays"]) - Fraction(
        bet["lost"]["probability"]
    ) == Fraction(-17, 415)


def test_strategy_and_its_csv_played_again(exact, tmp_path):
    options = ("--decks", "1", "--option", "soft17=hit")
    shown = exact("strategy", "blackjack", *options)
    assert shown.exit_code == 0
    for title in ("Hard", "Soft", "Pairs", "Where the cards decide otherwise than their total", "What advice costs"):
        assert title in shown.stdout
    assert exact("strategy", "blackjack", *options, "-o", "chart.csv").exit_code == 0
    total = document(exact("compute", "blackjack", *options, "--strategy", "total", "--format", "json"))
    again = document(exact("compute", "blackjack", *options, "--strategy", "chart.csv", "--format", "json"))
    assert (again["strategy"], again["expectation"]) == ("chart chart.csv", total["expectation"])
    with (tmp_path / "chart.csv").open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if row["table"] == "exceptions"]
    assert len(rows) == 12


def test_a_chart_given_no_dealer_blackjack(exact):
    peek = ("--decks", "1", "--option", "rules=vegas-strip", "--conditional", "--format", "json")
    found, total = (
        document(exact("strategy", "blackjack", *peek)),
        document(exact("compute", "blackjack", "--strategy", "total", *peek)),
    )
    assert found["expectation"] == total["expectation"]
    assert found["best"]["expectation"] == document(exact("compute", "blackjack", *peek))["expectation"]
    assert found["values"] == "of the whole game given no dealer blackjack, exceptions and advice over all rounds"
    assert "need hole_card=peek; it is none" in exact("strategy", "blackjack", "--conditional").stderr


def test_pictures(exact, tmp_path):
    pytest.importorskip("vl_convert", reason="PNG charts are an optional extra")
    for name, start in (("chart.svg", b"<svg"), ("chart.png", b"\x89PNG")):
        assert exact("strategy", "blackjack", "--decks", "1", "-o", name).exit_code == 0
        assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize("name", ["csv", "tsv", "jsonl", "markdown", "latex", "html"])
@pytest.mark.parametrize(
    "arguments",
    [("compute", "blackjack", "--by", "hand,up"), ("hand", "blackjack", "A,7 v A"), ("strategy", "blackjack")],
    ids=lambda arguments: arguments[0],
)
def test_every_format(exact, arguments, name):
    result = exact(*arguments, "--decks", "1", "--format", name)
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) > 5


def test_exact_values_survive_csv(exact):
    rows = csv.DictReader(exact("compute", "blackjack", "--decks", "8", "--format", "csv").stdout.splitlines())
    bets = {row["wager"]: row for row in rows if row["table"] == "wagers"}
    assert (bets["insurance"]["offered"], bets["insurance"]["expectation"]) == ("1/13", "-31/415")
    assert Fraction(bets["blackjack"]["expectation"]) == Fraction(
        -1605973455377045712021763601223704, 129609381445785090233420360323110111
    )
    assert bets["blackjack"]["strategy"] == "cdp1"


def test_effects_of_removal(exact):
    """One card less, each shoe solved again; a rank for itself."""
    found = effects(Question("blackjack", ShoeRequest(decks="1"), wagers=("blackjack", "insurance")))
    hand, bet = ({kind: one.first[kind] for kind in one.counts} for one in found)
    whole, less = (
        Fraction(document(exact("compute", "blackjack", "--decks", "1", *more, "--format", "json"))["expectation"])
        for more in ((), ("--remove", "5"))
    )
    assert hand["5"] == less - whole == max(hand.values())
    assert bet["10"] == Fraction(3 * 15, 50) - Fraction(3 * 16, 51)
    assert bet["2"] == Fraction(3 * 16, 50) - Fraction(3 * 16, 51)


def test_rules_side_by_side(exact):
    found = document(exact("rules", "blackjack", "--format", "json"))
    soft = next(row for row in found["option_list"] if row["option"] == "double")
    assert [soft[name] for name in ("page", "vegas-strip", "european", "atlantic-city")] == ["11", "any", "9-11", "any"]
    assert {row["rules"] for row in found["presets"]} == {"page", "vegas-strip", "european", "atlantic-city"}


def test_compare_two_option_sets_and_two_strategies(exact):
    soft = document(exact("compare", "blackjack", "--decks", "1", "--option-b", "soft17=hit", "--format", "json"))
    main_bet = next(row for row in soft["wagers"] if row["wager"] == "blackjack")
    assert Fraction(main_bet["difference"]) == Fraction(main_bet["b"]) - Fraction(main_bet["a"]) < 0
    classes = document(
        exact("compare", "blackjack", "--decks", "1", "--option-b", "strategy=total", "--format", "json")
    )
    assert Fraction(next(row for row in classes["wagers"] if row["wager"] == "blackjack")["difference"]) < 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compute", "blackjack", "--strategy", "cpd1"), "unknown strategy 'cpd1'; did you mean 'cdp1'?"),
        (("compute", "blackjack", "--strategy", "missing.csv"), "missing.csv: cannot be read"),
        (("compute", "blackjack", "--option", "rules=vegas"), "unknown blackjack rules 'vegas'"),
        (("compute", "blackjack", "--option", "dsa=true"), "blackjack has no option 'dsa'; did you mean 'das'?"),
        (("compute", "blackjack", "--shoe", "A=1,2=1"), "a round of blackjack deals three cards first; the shoe has 2"),
        (("compute", "blackjack", "--given", "up = 10"), "the one condition of blackjack is --given"),
        (("compute", "blackjack", "--dealt", "P1=8H"), "--dealt is for games of forced play"),
        (("compute", "blackjack", "--by", "soft"), "blackjack breaks down by up or by hand,up, not by soft"),
        (("compute", "blackjack", "--wager", "lucky"), "blackjack has no wager 'lucky'"),
        (("compute", "blackjack", "--wager", "insurance", "--option", "insurance=false"), "insurance is not offered"),
        (("compute", "baccarat", "--strategy", "cdp1"), "baccarat has no option 'strategy'"),
        (("hand", "blackjack", "A,A,A,A,A,A,A,A,A v 5", "--decks", "1"), "needs 9 cards of A; the shoe has 4"),
        (("hand", "blackjack", "10,10,5 v 5"), "10,10,5 is 25: over 21"),
        (("hand", "blackjack", "8 v 5"), "a hand has at least two cards"),
        (("hand", "blackjack", "8,8"), "a hand is written as cards, 'v' and the dealer's up card"),
        (("hand", "blackjack", "8,Z v 5"), "'Z' is not a card"),
        (("hand", "blackjack", "8,3 v 5", "--split", "9"), "a pair of 9 cannot be split"),
        (("hand", "blackjack", "9,3 v 5", "--split", "8"), "is no hand of a split pair of 8"),
        (("hand", "blackjack", "A,A,A,A,A,A,A,A,A v 5"), "a hand of 8 cards has won: nobody holds 9"),
        (("hand", "baccarat", "8,8 v 5"), "baccarat has no choices to ask about; games with choices: blackjack"),
        (("strategy", "blackjack", "--strategy", "cdz-"), "cdz- plays by the cards, not by a chart"),
        (("strategy", "blackjack", "--exceptions", "few"), "--exceptions takes a whole number or 'all'"),
        (("deal", "blackjack", "8", "8"), "the player of blackjack chooses"),
    ],
)
def test_bad_input_is_refused_by_name(exact, arguments, message):
    result = exact(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
