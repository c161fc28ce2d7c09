"""Charts: the best by total with its certificate, files of them, and where the cards decide otherwise."""

import random
from fractions import Fraction

import pytest

from exact.blackjack.cards import RANKS, RankShoe
from exact.blackjack.chart import CODE_NAMES, KEYS, UPS, Chart, actions, evaluate, key_text, refuse_gaps
from exact.blackjack.chartfile import HEADS, read_chart
from exact.blackjack.deviations import deviations
from exact.blackjack.player import Action
from exact.blackjack.rules import Rules
from exact.blackjack.solve import solve
from exact.blackjack.total import change_gains, first_chart, solve_total
from exact.errors import InputError
from exact.shoe import Shoe
from tests.blackjack.recursion import Twin, total_of

PAGE, DECKS = Rules.of(), RankShoe.of(Shoe.decks(1))
ATLANTIC = Rules.of("atlantic-city")
# Basic strategy as it is printed for eight decks, S17, DAS, late surrender:
# http://www.blackjack-player.org/atlantic-city-blackjack.htm (its table; R there surrenders, else hits)
PRINTED = {
    ("hard", 16): "S S S S S H H R R R", ("hard", 15): "S S S S S H H H R H", ("hard", 14): "S S S S S H H H H H",
    ("hard", 13): "S S S S S H H H H H", ("hard", 12): "H H S S S H H H H H", ("hard", 10): "D D D D D D D D H H",
    ("hard", 11): "D D D D D D D D D H", ("hard", 9): "H D D D D H H H H H", ("hard", 8): "H H H H H H H H H H",
    ("hard", 17): "S S S S S S S S S S", ("soft", 18): "S D D D D S S H H H", ("soft", 17): "H D D D D H H H H H",
    ("soft", 16): "H H D D D H H H H H", ("soft", 15): "H H D D D H H H H H", ("soft", 14): "H H H D D H H H H H",
    ("soft", 13): "H H H D D H H H H H", ("pair", 0): "P P P P P P P P P P", ("pair", 1): "P P P P P P H H H H",
    ("pair", 2): "P P P P P P H H H H", ("pair", 3): "H H H P P H H H H H", ("pair", 4): "D D D D D D D D H H",
    ("pair", 5): "P P P P P H H H H H", ("pair", 6): "P P P P P P H H H H", ("pair", 7): "P P P P P P P P P P",
    ("pair", 8): "P P P P P S P P S S", ("pair", 9): "S S S S S S S S S S",
}  # fmt: skip


STEPS = Rules.of("vegas-strip", {"soft17": "hit", "split_pairs": "A,7,8,9"})


@pytest.fixture(scope="module")
def stepped():
    return solve_total(DECKS, STEPS)


@pytest.fixture(scope="module")
def atlantic():
    return solve_total(RankShoe.of(Shoe.decks(8)), ATLANTIC)


def test_the_chart_is_the_printed_basic_strategy(atlantic):
    found = {key_text(key): " ".join(atlantic.chart.code(*key, up)[0] for up in UPS) for key in PRINTED}
    assert found == {key_text(key): codes for key, codes in PRINTED.items()}


def test_the_certificate_holds_for_each_single_change(stepped):
    """The gain of a change, found in one pass, is what evaluating the changed chart gives; none gains."""
    rules, found = STEPS, stepped
    gains = change_gains(found.chart, found.solution)
    assert len(gains) == found.certificate.changes
    assert max(gains.values()) <= 0
    scale = found.solution.total * found.solution.whole.scale
    for change in random.Random(1).sample(sorted(gains), 6):
        changed = evaluate(found.chart.replaced([change]), DECKS, rules, "changed")
        assert changed.expectation - found.solution.expectation == Fraction(gains[change], scale), change


def test_steps_from_the_first_chart_gain(stepped):
    rules = STEPS
    found, best = stepped, solve(DECKS, rules)
    start = evaluate(first_chart(best), DECKS, rules, "first").expectation
    assert found.certificate.steps > 0
    assert start < found.solution.expectation < best.expectation


def test_what_exceptions_add_is_the_difference_between_the_classes(atlantic):
    """Each deviation is valued with the best play after it; where no two meet in a hand they add up to the whole."""
    best = solve(RankShoe.of(Shoe.decks(8)), ATLANTIC)
    found = deviations(atlantic.chart, best)
    assert all(one.worth > 0 and one.adds > 0 and one.best is not one.chart for one in found)
    assert found == sorted(found, key=lambda one: -one.adds)
    # Reach is counted under the best play, so the sum is the exact difference of the two games.
    assert sum(one.adds for one in found) == best.expectation - atlantic.solution.expectation


def write(tmp_path, chart, name="chart.csv"):
    lines = ["table,hand," + ",".join(HEADS)]
    for kind, row in KEYS:
        codes = [chart.code(kind, row, up) for up in UPS]
        if any(codes):
            hand = f'"{RANKS[row]},{RANKS[row]}"' if kind == "pair" else row
            lines.append(f"{'pairs' if kind == 'pair' else kind},{hand},{','.join(codes)}")
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_file_is_the_chart_that_was_written(tmp_path):
    chart = solve_total(DECKS, PAGE).chart
    assert (read_chart(write(tmp_path, chart)).cells == chart.cells).all()


def toml(tmp_path, text):
    path = tmp_path / "chart.toml"
    path.write_text(text, encoding="utf-8")
    return path


SIMPLE = """
[hard]
4-11 = "H H H H H H H H H H"
12-16 = "S S S S S H H H H H"
17+ = "S S S S S S S S S S"
[soft]
12-17 = "H H H H H H H H H H"
18+ = "S S S S S S S S S S"
[pairs]
"A,A" = "P P P P P P P P P P"
"8,8" = "P P P P P P P P F F"
"""
SIMPLE = "\n".join(  # keys with signs are quoted in TOML
    f'"{line.split(" = ")[0]}" = {line.split(" = ")[1]}' if " = " in line and line[0].isdigit() else line
    for line in SIMPLE.splitlines()
)


def test_a_toml_chart_is_played_exactly_as_printed(tmp_path):
    chart = read_chart(toml(tmp_path, SIMPLE))
    refuse_gaps(chart, DECKS, PAGE, "chart.toml")
    played = evaluate(chart, DECKS, PAGE, "chart")
    table = played.whole.table
    row = table.hands.row((0, 0, 0, 0, 0, 1, 0, 0, 0, 1))
    assert [Action(int(played.whole.choice[row, up])).name[0] for up in UPS] == list("SSSSSHHHHH")
    assert (actions(chart, table, PAGE) == played.whole.choice).all()
    assert played.expectation < solve_total(DECKS, PAGE).solution.expectation


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"17+"', '"18+"'), "the chart has no entry for hard 17 against"),
        (('"4-11" = "H', '"4-11" = "D'), "Dh for hard 4 against 2 is never possible under these rules; write S or H"),
        (('"8,8" = "P', '"8,8" = "H'), "H for 8,8 against 2 is never possible under these rules; write P or F"),
        (('"A,A" = "P', '"A,A" = "X'), "chart.toml, pairs A,A, against 2: unknown code 'X'"),
        (('"12-16" = "S S', '"12-16" = "S'), "chart.toml, hard 12-16: 9 codes; there is one for each up card"),
        (('"4-11"', '"3-11"'), "'3-11' is no hard total; write 4 to 21, 17+ or 13-15"),
        (('"4-11"', '"4-12"'), "a second entry for"),
        (('"8,8"', '"8,9"'), "'8,9' is no pair; write 8,8"),
        (("[pairs]", "[pair]"), "unknown table 'pair'; did you mean 'pairs'?"),
        (("[hard]", "[hard"), "not a TOML file"),
        (('"8,8" = "P P P P P P P P F F"', ""), "the chart has no entry for 8,8 against"),
    ],
)
def test_gaps_and_impossible_actions_are_refused(tmp_path, change, message):
    assert change[0] in SIMPLE
    with pytest.raises(InputError) as refused:
        refuse_gaps(read_chart(toml(tmp_path, SIMPLE.replace(*change))), DECKS, PAGE, "chart.toml")
    assert message in str(refused.value)


def test_a_file_of_another_kind_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"a strategy is a \.csv or \.toml file"):
        read_chart(toml(tmp_path, SIMPLE).rename(tmp_path / "chart.txt"))
    with pytest.raises(InputError, match="cannot be read"):
        read_chart(tmp_path / "missing.csv")
    path = tmp_path / "chart.csv"
    path.write_text("hand,2,3\n", encoding="utf-8")
    with pytest.raises(InputError, match="missing: table, 4, 5, 6, 7, 8, 9, 10, A"):
        read_chart(path)


class Follower(Twin):
    """The slow twin, playing the chart of ``SIMPLE`` by its words instead of the best action."""

    def code(self, hand, up, split):
        total, soft = total_of(hand)
        if soft:
            return "hit" if total <= 17 else "stand"
        return "hit" if total <= 11 or (12 <= total <= 16 and not 2 <= up <= 6) else "stand"

    def _after(self, hand, up, counts, split):
        if sum(hand) > 21:
            return self.settle(hand, up, counts, False, split)
        found = dict(self.actions(hand, up, counts, split))
        return found.get(self.code(hand, up, split), found["stand"])

    def choices(self, hand, up, counts):
        found = super().choices(hand, up, counts)
        if "split" in found or "fold" in found:
            folds = hand == (8, 8) and up in (1, 10)
            action = "fold" if folds or "split" not in found else "split"
        else:
            action = self.code(hand, up, 0) if sorted(hand) != [1, 10] else "stand"
        return {"only": found.get(action, found.get("stand"))}


@pytest.mark.parametrize("counts", [(2, 0, 0, 0, 2, 0, 0, 4, 0, 6), (3, 2, 0, 0, 0, 3, 0, 3, 0, 4)])
def test_a_chart_s_value_against_the_slow_twin(tmp_path, counts):
    chart, shoe = read_chart(toml(tmp_path, SIMPLE)), RankShoe(counts)
    refuse_gaps(chart, shoe, PAGE, "chart.toml")
    assert evaluate(chart, shoe, PAGE, "chart").expectation == Follower(counts, PAGE).expectation()


def test_codes_are_wishes_in_order():
    """Double where allowed, else the small letter's action; a chart without any code is empty."""
    chart = Chart.of({("hard", 11, up): "Dh" for up in range(10)})
    assert chart.code("hard", 11, 0) == "Dh"
    assert chart.code("soft", 18, 0) == ""
    assert set(CODE_NAMES) == {"S", "H", "Dh", "Ds", "Rh", "Rs", "P", "F"}
