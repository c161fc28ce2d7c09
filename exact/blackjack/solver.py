"""Blackjack as a game of the list: the questions that every game answers, and those only a game with choices does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from exact.blackjack import answers
from exact.blackjack.cards import RankShoe
from exact.blackjack.chart import evaluate, refuse_gaps
from exact.blackjack.chartfile import read_chart
from exact.blackjack.rules import Rules, preset_data, rule_data
from exact.blackjack.solve import CLASSES, Solution, solve
from exact.blackjack.total import Certificate, TotalSolution, solve_total
from exact.errors import InputError, nearest
from exact.report import Report
from exact.shoe import FRENCH, Shoe
from exact.solvers import About, Question, Tell

STRATEGIES = (*CLASSES, "total")
PRESET = "rules"  # the option that names a preset


@dataclass(frozen=True, slots=True)
class Asked:
    """A question read: rules, shoe, and the preset they come from."""

    preset: str
    rules: Rules
    shoe: Shoe

    @property
    def ranks(self) -> RankShoe:
        """The shoe as blackjack sees it."""
        return RankShoe.of(self.shoe)


class Blackjack:
    """The solver of blackjack."""

    def about(self, game: str) -> About:
        """The game in one line."""
        summary = f"rules: {', '.join(rule_data()['presets'])}"
        return About(game, "Blackjack", "choices", summary, len(rule_data()["options"]))

    def compute(self, question: Question, tell: Tell | None = None) -> Report:
        """The exact expectation of a strategy, by up card, with the side bets."""
        _refuse_forced_play(question)
        asked = read(question)
        solution, certificate = solved(asked, question.strategy or "cdp1")
        if tell:
            tell(1)
        return answers.game_report(
            answers.Described(asked.preset, asked.shoe, solution),
            certificate,
            question.wagers,
            question.by,
            question.conditional,
        )

    def rules(self, question: Question) -> Report:
        """Every option under every preset, side by side, with its meaning and source."""
        return answers.rules_report(read(question).rules, question.options.get(PRESET))

    def rule_file(self, game: str) -> str:
        """The options and presets as they stand in their file."""
        return (Path(__file__).parent / "rules.toml").read_text(encoding="utf-8")

    def deal(self, question: Question, cards: Sequence[str]) -> Report:
        """Not offered: a round of blackjack is no sequence of forced steps."""
        raise InputError("the player of blackjack chooses: ask 'exact hand blackjack \"8,8 v 10\"' for each choice")


SOLVER = Blackjack()


def read(question: Question) -> Asked:
    """The rules and the shoe of a question; without one, the preset's number of decks.

    Raises ``InputError`` as ``Rules.of`` and ``ShoeRequest.shoe`` do.
    """
    options = dict(question.options)
    preset = options.pop(PRESET, "page").strip().lower()
    decks = str(preset_data(preset)["decks"])
    return Asked(preset, Rules.of(preset, options), question.shoe.shoe(FRENCH, decks))


def solved(asked: Asked, strategy: str) -> tuple[Solution, Certificate | None]:
    """The game played by a class of strategy, or by the chart of a file."""
    found = played(asked, strategy)
    return (found.solution, found.certificate) if isinstance(found, TotalSolution) else (found, None)


def played(asked: Asked, strategy: str) -> Solution | TotalSolution:
    """The game played by a class of strategy, or by the chart of a file; ``total`` comes with chart and certificate.

    Raises ``InputError`` for an unknown class, an unreadable file, and a chart with gaps or impossible codes.
    """
    if strategy == "total":
        return solve_total(asked.ranks, asked.rules)
    if strategy in CLASSES:
        return solve(asked.ranks, asked.rules, strategy)
    path = Path(strategy)
    if not path.suffix:
        known = f"{nearest(strategy, STRATEGIES)}, or a chart in a .csv or .toml file"
        raise InputError(f"unknown strategy {strategy!r}; {known}")
    chart = read_chart(path)
    refuse_gaps(chart, asked.ranks, asked.rules, path.name)
    return evaluate(chart, asked.ranks, asked.rules, f"chart {path.name}")


def _refuse_forced_play(question: Question) -> None:
    given: Mapping[str, object] = {
        "--given": question.given, "--dealt": question.dealt, "--wagers": question.wager_files
    }  # fmt: skip
    for name, value in given.items():
        if value:
            raise InputError(f"{name} is for games of forced play; blackjack takes --remove, --by up and --by hand,up")
