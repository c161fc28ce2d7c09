"""Printed figures: how they are read and rounded, and how ``exact check`` ends for right, wrong and recorded ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from exact import solvers
from exact.cli import main
from exact.errors import InputError
from exact.games import load
from exact.published import Check, check, published_files, read_rows
from exact.published.figures import Figure, Printed, Quantity
from exact.result import compute
from exact.shoe import Shoe
from exact.solvers import Asked

BACCARAT = next(path for path in published_files() if path.name == "baccarat.csv")


@pytest.fixture(scope="module")
def checked() -> Check:
    return check([BACCARAT])


def write(folder: Path, *lines: str) -> Path:
    path = folder / "claims.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


# -- the published file


def test_every_row_ends_as_recorded(checked: Check) -> None:
    assert Counter(finding.ending for finding in checked.findings) == {
        "agrees": 2524, "last digit": 7, "misprint": 32, "not computed": 13,
    }  # fmt: skip


def test_what_is_not_computed_prints_no_figure_of_a_round(checked: Check) -> None:
    reasons = {f.row["reason"].split(":")[0] for f in checked.findings if f.ending == "not computed"}
    assert reasons == {
        "a pay table", "a rule", "a reference", "a counting system over a shoe",
        "the bettor decides whether to draw", "the bettor decides whether to double",
    }  # fmt: skip


def test_every_row_says_who_prints_it() -> None:
    assert all(row["source"] and row["label"] and row["printed"] for row in read_rows(BACCARAT))


def test_a_changed_digit_in_any_row_would_be_found(checked: Check) -> None:
    """No row that agrees still does with 1 more in its last printed digit or 1 less."""
    for finding in (finding for finding in checked.findings if finding.ending == "agrees"):
        row, figure = finding.row, finding.figure
        printed = Printed.parse(row["printed"], row["unit"], row["digits"])
        assert figure is not None
        if printed.digits is None:
            assert not replace(printed, number=printed.number + Fraction(1, 10**9)).is_of(figure), row.where
            continue
        step = Fraction(1, 10) ** printed.digits
        assert printed.is_of(figure), row.where
        assert not replace(printed, number=printed.number + step).is_of(figure), row.where
        assert not replace(printed, number=printed.number - step).is_of(figure), row.where


GAME = load("baccarat")
SLOW = [
    ("wager", "banker", 8, None, "expectation(banker)"),
    ("wager", "tiger-pair", 6, None, "expectation(tiger-pair)"),
    ("wager", "perfect-player-pair", 2, None, "expectation(perfect-player-pair)"),
    ("outcome", "tie", "infinite", None, "probability(outcome = 'tie')"),
    ("outcome", "player", 8, "player_two = 0 AND banker_two = 5", "probability(outcome = 'player')"),
    ("wager", "dragon-bonus-banker", 4, "NOT natural", "expectation(dragon-bonus-banker)"),
]


def test_figures_worked_out_together_equal_figures_worked_out_one_by_one() -> None:
    from exact.published.measured import measure
    from exact.shoefile import ShoeRequest
    from exact.solvers import Question

    asked = [
        Asked(Question("baccarat", ShoeRequest(decks=str(decks)), given=given_), Quantity.parse(quantity), quantity)
        for _, _, decks, given_, quantity in SLOW
    ]
    for (kind, name, decks, given_, _), figure in zip(SLOW, measure(asked), strict=True):
        wagers = [GAME.wager(name)] if kind == "wager" else []
        one = compute(GAME, Shoe.decks(decks), wagers, given_).all
        assert figure.value == (one.wager(name).expectation if wagers else one.outcome(name).probability)


# -- reading and rounding


@pytest.mark.parametrize(
    ("text", "unit", "digits", "number", "places", "scale"),
    [
        ("0.458597", "", "", Fraction(458597, 10**6), 6, 1),
        ("45.86%", "", "", Fraction(4586, 100), 2, Fraction(1, 100)),
        ("4,998,398,275,503,360", "", "", 4998398275503360, 0, 1),
        ("-0.010117", "", "", Fraction(-10117, 10**6), 6, 1),
        ("+0.5", "1/1000", "", Fraction(1, 2), 1, Fraction(1, 1000)),
        ("0.095", "", "6", Fraction(95, 1000), 6, 1),
        ("2,292,000", "", "-3", 2292000, -3, 1),
        ("1.5e-3", "", "", Fraction(3, 2000), 4, 1),
        ("-19/311", "", "", Fraction(-19, 311), None, 1),
        ("2 to 1", "", "", 2, None, 1),
        ("40:1", "", "", 40, None, 1),
        ("1:1.5", "", "", Fraction(3, 2), None, 1),
    ],
)
def test_printed_texts(text: str, unit: str, digits: str, number: Fraction, places: int, scale: Fraction) -> None:
    assert Printed.parse(text, unit, digits) == Printed(Fraction(number), places, Fraction(scale))


@pytest.mark.parametrize(
    ("text", "unit", "digits", "says"),
    [
        ("about 4", "", "", "cannot read the printed figure 'about 4'"),
        ("", "", "", "cannot read the printed figure ''"),
        ("nan", "", "", "cannot read the printed figure 'nan'"),
        ("1/0", "", "", "cannot read the printed figure '1/0'"),
        ("3:2", "", "", "cannot read the odds '3:2'"),
        ("1.25", "", "1", "'1.25' has more than 1 decimal places"),
        ("1.25", "", "x", "digits must be a whole number"),
        ("1.25", "0", "", "the unit must be a number above 0"),
        ("1.25", "percent", "", "the unit must be a number above 0"),
    ],
)
def test_texts_that_are_no_figures(text: str, unit: str, digits: str, says: str) -> None:
    with pytest.raises(InputError, match=f"^{says.replace('(', '.')}"):
        Printed.parse(text, unit, digits)


@given(st.fractions(-10, 10), st.integers(-1, 12))
def test_a_figure_agrees_with_its_rounding_and_with_no_other(value: Fraction, digits: int) -> None:
    figure = Figure(value)
    nearest = Fraction(figure.rounded(digits))
    step = Fraction(1, 10) ** digits
    assert abs(nearest - value) <= step / 2
    assert figure.nearest_to(nearest, digits)
    assert not figure.nearest_to(nearest + 2 * step, digits)
    assert figure.nearest_to(nearest + step, digits) == (value - nearest == step / 2)


@given(st.fractions(0, 1000, max_denominator=10**6), st.integers(0, 12))
def test_roots_round_as_they_do_in_sixty_digits(square: Fraction, digits: int) -> None:
    figure = Figure(square, root=True)
    step = Decimal(1).scaleb(-digits)
    with localcontext(prec=60):
        root = (Decimal(square.numerator) / Decimal(square.denominator)).sqrt()
        rounded = figure.rounded(digits)
        assert abs(rounded - root) <= step / 2 + Decimal(10) ** -50  # sixty digits hold the root itself to fifty
    assert figure.nearest_to(Fraction(rounded), digits)
    assert not figure.nearest_to(Fraction(rounded + 2 * step), digits)


def test_a_root_half_way_agrees_with_both_neighbours() -> None:
    half = Figure(Fraction(1, 4), root=True)
    assert (half.nearest_to(Fraction(0), 0), half.nearest_to(Fraction(1), 0)) == (True, True)
    assert not half.nearest_to(Fraction(2), 0)


def test_a_value_between_two_numbers_agrees_with_both() -> None:
    half = Figure(Fraction(1, 8))
    assert Printed.parse("0.12").is_of(half)
    assert Printed.parse("0.13").is_of(half)
    assert not Printed.parse("0.126").is_of(half)


def test_a_fraction_agrees_only_if_it_is_the_value() -> None:
    figure = Figure(Fraction(8712962041376, 19524993263685))
    assert Printed.parse("8712962041376/19524993263685").is_of(figure)
    assert not Printed.parse("8712962041377/19524993263685").is_of(figure)
    assert Printed.parse("-3/2").is_of(Figure(Fraction(9, 4), root=True)) is False
    assert Printed.parse("3/2").is_of(Figure(Fraction(9, 4), root=True))


# -- a user's own file


def test_differences_of_a_users_file_are_printed_with_the_exact_value(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "decks,quantity,printed",
        "8,edge(banker),1.06%",
        "6,probability(outcome = 'tie'),0.0950",
        "8,edge(banker_total = 6 AND outcome = 'banker' pays 12),29.98%",
        "8,standard_deviation(tie),2.6408",
    )
    result = run("check", path, "--format", "json")
    assert result.exit_code == 1
    document = json.loads(result.output)
    assert document["summary"] == [
        {"file": "claims.csv", "rows": 4, "agrees": 2, "last_digit": 0, "misprint": 0, "not_computed": 0, "differs": 2}
    ]
    tie, deviation = document["differences"]
    assert (tie["line"], tie["shoe"], tie["printed"], tie["should_be"]) == (3, "decks 6", "0.0950", "0.0951")
    assert tie["exact"] == "145057227313/1525814595305"
    assert (deviation["line"], deviation["should_be"], deviation["exact"]) == (5, "2.6409", None)


def test_a_file_without_differences_ends_well(tmp_path: Path) -> None:
    path = write(tmp_path, "quantity,printed", "edge(banker),1.0579%", "ways(TRUE),4998398275503360")
    result = run("check", path)
    assert result.exit_code == 0
    assert result.output.splitlines()[:3] == [
        "file        rows  agrees  last digit  misprint  not computed  differs",
        "----------  ----  ------  ----------  --------  ------------  -------",
        "claims.csv     2       2           0         0             0        0",
    ]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("edge(tie),14.40%,agrees,,", "the exact figure does not round to what is printed"),
        ("edge(tie),14.36%,misprint,14.36%,x", "recorded as misprint, but the exact figure rounds to what is printed"),
        ("edge(tie),14.40%,misprint,14.35%,x", "the exact figure does not round to 14.35% either, recorded as right"),
    ],
)
def test_what_is_recorded_must_be_right(tmp_path: Path, row: str, why: str) -> None:
    (finding,) = check([write(tmp_path, "quantity,printed,standing,right,reason", row)]).findings
    assert (finding.ending, finding.why) == ("differs", why)


def test_options_shoes_and_removed_cards(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "quantity,printed,options,decks,shoe,remove,given,unit",
        "edge(tie),4.8440%,tie_odds=9,,,,,",
        '"edge(banker)",0.5993%,"commission=1/25,tie_odds=9",8,,,,',
        "change of expectation(banker),188,,8,,10,,1/10000000",
        "change of probability(outcome = 'player'),-0.0000435175,,,,4,,",
        "probability(outcome = 'tie'),1,,,A=6,,player_total = banker_total,",
        "edge_resolved(player),1.3650%,,,,,,",
    )
    assert [finding.ending for finding in check([path]).findings] == ["agrees"] * 6


def test_the_change_that_removed_cards_make_is_the_difference_of_two_shoes(tmp_path: Path) -> None:
    (finding,) = check([write(tmp_path, "quantity,printed,remove", "change of edge(banker),0,4")]).findings
    with_four, without = Shoe.decks(8), Shoe.decks(8).remove("4")
    edges = [compute(GAME, shoe, [GAME.wager("banker")]).all.wager("banker").edge for shoe in (without, with_four)]
    assert finding.figure == Figure(edges[0] - edges[1])


MEASURES = (
    "probability, ways, expectation, edge, edge_resolved, variance, hit_frequency, return_to_player, offered, odds"
)
BAD = {
    "decks,printed|8,1": "claims.csv: the column quantity is missing",
    "deck,quantity,printed|8,edge(tie),1": "claims.csv: unknown column 'deck'; did you mean 'decks'?",
    "quantity,printed|edge(bankr),1%|edge(tie),x": (
        "claims.csv line 3: cannot read the printed figure 'x': expected a number such as 0.458597, 1.06% or "
        "6,548,674,432, or a fraction n/d"
    ),
    "quantity,printed|edge(bankr),1%|xyz(tie),8": (
        "claims.csv line 2: baccarat has no wager 'bankr'; did you mean 'banker'?|"
        f"claims.csv line 3: unknown measure 'xyz'; known: {MEASURES}, standard_deviation"
    ),
    "quantity,printed|edge tie,1": (
        "claims.csv line 2: cannot read the quantity 'edge tie': write MEASURE(SUBJECT) such as edge(banker) or "
        "probability(outcome = 'tie')"
    ),
    "quantity,printed,standing|edge(tie),1,wrong": (
        "claims.csv line 2: unknown standing 'wrong'; known: agrees, last digit, misprint, not computed"
    ),
    "quantity,printed,standing,reason|edge(tie),1,misprint,why": (
        "claims.csv line 2: a row that is recorded as misprint needs the right figure"
    ),
    "quantity,printed,standing|edge(tie),1,not computed": (
        "claims.csv line 2: a row that is recorded as not computed needs a reason"
    ),
    "quantity,printed,decks|edge(tie),1,0": (
        "claims.csv line 2: the number of decks must be a whole number from 1, or 'infinite', not '0'"
    ),
    "quantity,printed,options|edge(tie),1,tie_odds": (
        "claims.csv line 2: cannot read the options 'tie_odds': write NAME=VALUE,NAME=VALUE"
    ),
    "quantity,printed,game|edge(tie),1,bacarat": (
        "claims.csv line 2: unknown game 'bacarat'; did you mean 'baccarat'? "
        "(or give the path of a rule file, NAME.toml)"
    ),
    "quantity,printed,given|edge(tie),1,player_two + banker_two = 18 AND player_total = 1": (
        "claims.csv line 2: no round of this shoe satisfies the condition given"
    ),
    "quantity,printed,remove|change of standard_deviation(tie),1,4": (
        "claims.csv line 2: the change of a square root is not worked out; ask for the variance"
    ),
}


@pytest.mark.parametrize(("lines", "says"), BAD.items(), ids=BAD)
def test_bad_files_are_refused_with_line_and_reason(tmp_path: Path, lines: str, says: str) -> None:
    result = run("check", write(tmp_path, *lines.split("|")), "-o", tmp_path / "out.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [f"Error: {line}" for line in says.split("|")]
    assert not (tmp_path / "out.json").exists()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = run("check", tmp_path / "none.csv")
    assert result.exit_code == 2
    assert "cannot be read: No such file or directory" in result.stderr


def test_a_condition_that_is_null_somewhere_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "quantity,printed", "probability(p3 = 1 AND player_total = 2 OR banker_two = 3),1")
    with pytest.raises(InputError, match=r"claims.csv line 2: .*NULL"):
        check([path])


def test_other_kinds_of_games_answer_for_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver of its own is asked all rows of its game at once."""
    calls: list[list[str]] = []

    def figures(asked: Sequence[Asked], tell: object = None) -> list[Figure]:
        calls.append([f"{one.quantity.measure} of {one.quantity.subject}" for one in asked])
        return [Figure(Fraction(1, 3))] * len(asked)

    monkeypatch.setitem(
        __import__("sys").modules, "tests.patience", SimpleNamespace(SOLVER=SimpleNamespace(figures=figures))
    )
    monkeypatch.setattr(solvers, "WITH_CHOICES", {"patience": "tests.patience"})
    path = write(tmp_path, "game,quantity,printed", "patience,value(T6 v 9),0.333", "patience,value(2 v A),0.4")
    assert [finding.ending for finding in check([path]).findings] == ["agrees", "differs"]
    assert calls == [["value of T6 v 9", "value of 2 v A"]]


def test_the_report_lists_misprints_and_counts_the_other_reasons(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "quantity,printed,standing,right,reason",
        "edge(tie),14.3%,misprint,14.36%,a wrong digit",
        "edge(banker),1.05%,last digit,1.06%,cut off",
        "edge(player),1.23%,last digit,1.24%,cut off",
        "a rule,8:1,not computed,,no figure",
    )
    result = run("check", path)
    assert result.exit_code == 0
    assert result.output.splitlines()[:19] == [
        "file        rows  agrees  last digit  misprint  not computed  differs",
        "----------  ----  ------  ----------  --------  ------------  -------",
        "claims.csv     4       0           2         1             1        0",
        "",
        "Recorded misprints",
        "file        line  shoe     quantity   printed  right   reason         label  source",
        "----------  ----  -------  ---------  -------  ------  -------------  -----  ------",
        "claims.csv     2  decks 8  edge(tie)  14.3%    14.36%  a wrong digit",
        "",
        "Off in the last digit",
        "file        rows  reason",
        "----------  ----  -------",
        "claims.csv     2  cut off",
        "",
        "Not computed",
        "file        rows  reason",
        "----------  ----  ---------",
        "claims.csv     1  no figure",
        "",
    ]
