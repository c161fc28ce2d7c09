"""Blackjack as a game of the list: the questions that every game answers, and those only a game with choices does."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from exact.blackjack import answers, figures
from exact.blackjack.bets import insurance
from exact.blackjack.cards import RANKS, RankShoe, parse_query, rank_index
from exact.blackjack.chart import Chart, evaluate, refuse_gaps
from exact.blackjack.chartfile import read_chart
from exact.blackjack.picture import coloured, picture
from exact.blackjack.query import answer
from exact.blackjack.rules import Rules, preset_data, rule_data
from exact.blackjack.solve import CLASSES, Solution, solve
from exact.blackjack.strategies import strategy_report
from exact.blackjack.total import Certificate, TotalSolution, solve_total
from exact.errors import InputError, nearest
from exact.output.report import Report
from exact.published.figures import Figure
from exact.shoe import FRENCH, Shoe
from exact.solvers import About, Asked, LogAsked, Question, Tell

RULES, STRATEGY = "rules", "strategy"  # options beside those of the rules: a preset's name, a class or a chart's file
STRATEGIES = (*CLASSES, "total")
NO_BLACKJACK = "no dealer blackjack"  # the one condition that a value can be given


@dataclass(frozen=True, slots=True)
class Setting:
    """A question read: the preset, its rules with the chosen options, the shoe, and what strategy is asked for."""

    preset: str
    rules: Rules
    shoe: Shoe
    strategy: str
    conditional: bool

    @property
    def ranks(self) -> RankShoe:
        """The shoe as blackjack sees it."""
        return RankShoe.of(self.shoe)

    def described(self, solution: Solution) -> answers.Described:
        """A solution with what it belongs to."""
        return answers.Described(self.preset, self.shoe, solution, self.conditional)


class Blackjack:
    """The solver of blackjack."""

    def about(self, game: str) -> About:
        """The game in one line."""
        summary = f"the player chooses; rule sets: {', '.join(rule_data()['presets'])}"
        return About(game, "Blackjack", "choices", summary, len(rule_data()["options"]))

    def compute(self, question: Question, tell: Tell | None = None) -> Report:
        """The exact expectation of a strategy, by up card, with the side bets."""
        setting = read(question)
        solution, _, certificate = played(setting)
        if tell:
            tell(1)
        return answers.game_report(setting.described(solution), certificate, question.wagers, question.by)

    def rules(self, question: Question) -> Report:
        """Every option under every preset, side by side, with its meaning and source."""
        return answers.rules_report(read(question).rules, question.options.get(RULES))

    def rule_file(self, game: str) -> str:
        """The options and presets as they stand in their file."""
        return (Path(__file__).parent / "rules.toml").read_text(encoding="utf-8")

    def deal(self, question: Question, cards: Sequence[str]) -> Report:
        """Not offered: a round of blackjack is no sequence of forced steps."""
        raise InputError("the player of blackjack chooses: ask 'exact hand blackjack \"8,8 v 10\"' for each choice")

    def verify_log(self, question: Question, asked: LogAsked, tell: Tell | None = None) -> tuple[Report, int]:
        """Every round held against what the rules force, and the player's choices against the best ones."""
        from exact.blackjack.log import replay
        from exact.blackjack.logreport import log_report

        if question.wagers or question.wager_files:
            raise InputError("the side bets of blackjack are not in its logs: leave out --wager and --wagers")
        if question.options.get(STRATEGY, "cdp1") != "cdp1":
            raise InputError("the choices of a log are held against the best by the cards: strategy=cdp1")
        setting = read(question)
        found = replay(setting.rules, setting.shoe, asked, tell)
        return log_report(found, setting.preset, setting.rules, setting.shoe, asked.files)

    def figures(self, asked: Sequence[Asked], tell: Tell | None = None) -> Sequence[Figure]:
        """The exact figure of each quantity; a game is solved once for all of its figures."""
        games: dict[Hashable, tuple[Setting, Solution | None]] = {}
        found, faults = [], []
        for one in asked:
            solves = figures.needs_solution(one.quantity)
            key = (one.question.shoe, tuple(sorted(one.question.options.items())), one.question.given, solves)
            try:
                if key not in games:
                    setting = read(one.question)
                    games[key] = (setting, played(setting)[0] if solves else None)
                setting, solution = games[key]
                found.append(figures.measure(one.quantity, setting.shoe, setting.rules, solution, setting.conditional))
            except InputError as error:
                faults.append(f"{one.where}: {error}")
            if tell:
                tell(1)
        if faults:
            raise InputError("\n".join(faults))
        return found

    def kinds(self, question: Question) -> Mapping[str, int]:
        """The ten ranks that blackjack tells apart."""
        return dict(zip(RANKS, read(question).ranks.counts, strict=True))

    def expectations(
        self, question: Question, removals: Sequence[Sequence[str]], tell: Tell | None = None
    ) -> Mapping[str, Sequence[Fraction | None]]:
        """The expectation from each shoe, solved one by one: the best play changes with the shoe."""
        setting = read(question)
        found: dict[str, list[Fraction | None]] = {name: [] for name in question.wagers or (answers.MAIN,)}
        if unknown := [name for name in found if name not in (answers.MAIN, "insurance")]:
            raise InputError(
                f"expectations shoe by shoe are worked out of blackjack and insurance, not of {unknown[0]!r}"
            )
        for taken in removals:
            counts = list(setting.ranks.counts)
            for card in taken:
                counts[rank_index(card)] -= 1
            smaller = replace(setting, shoe=Shoe.of(dict(zip(RANKS, counts, strict=True))))
            for name, values in found.items():
                values.append(_expectation(name, smaller))
            if tell:
                tell(1)
        return found

    def hand(self, question: Question, text: str, seen: str | None, split: str | None) -> Report:
        """The report of ``exact hand``: one hand against one up card."""
        setting, query = read(question), parse_query(text)
        if seen:
            setting = replace(setting, shoe=setting.shoe.remove(seen))
        solution = played(setting)[0]
        found = answer(solution, query, None if split is None else rank_index(split), setting.conditional)
        return answers.hand_report(setting.described(solution), found, seen)

    def strategy(self, question: Question, exceptions: int | None) -> Report:
        """The report of ``exact strategy``: the chart by total, what it is worth, and where the cards decide otherwise.

        Raises ``InputError`` for a class that plays by more than a chart can say.
        """
        setting = read(question)
        if STRATEGY not in question.options:
            setting = replace(setting, strategy="total")
        if setting.strategy in CLASSES:
            raise InputError(f"{setting.strategy} plays by the cards, not by a chart; ask for total or give a file")
        solution, chart, certificate = played(setting)
        assert chart is not None, "every strategy that is no class of play by the cards has a chart"
        best = solve(setting.ranks, setting.rules)
        return strategy_report(setting.described(solution), best, chart, certificate, exceptions)

    def picture(self, report: Report, suffix: str) -> bytes:
        """The chart of such a report as a picture."""
        return picture(report, suffix)

    def coloured(self, report: Report, digits: int) -> str:
        """Such a report for a terminal with colours."""
        return coloured(report, digits)


SOLVER = Blackjack()


def read(question: Question) -> Setting:
    """The rules and the shoe of a question; without one, the preset's number of decks.

    Raises ``InputError`` for conditions and files that only games of forced play know, and as ``Rules.of`` does.
    """
    for name, value in {"--dealt": question.dealt, "--wagers": question.wager_files}.items():
        if value:
            raise InputError(f"{name} is for games of forced play; blackjack takes --remove, --by up and --by hand,up")
    if question.given not in (None, NO_BLACKJACK):
        raise InputError(f"the one condition of blackjack is --given {NO_BLACKJACK!r} (or --conditional)")
    options = dict(question.options)
    preset, strategy = options.pop(RULES, "page").strip().lower(), options.pop(STRATEGY, "cdp1").strip()
    decks = str(preset_data(preset)["decks"])
    rules = Rules.of(preset, options)
    return Setting(preset, rules, question.shoe.shoe(FRENCH, decks), strategy, question.given is not None)


def _expectation(wager: str, setting: Setting) -> Fraction | None:
    if wager == answers.MAIN:
        return played(setting)[0].expectation
    figures = insurance(setting.ranks)
    return figures.expectation if figures else None


def played(setting: Setting) -> tuple[Solution, Chart | None, Certificate | None]:
    """The game played by a class of strategy, or by the chart of a file; with the chart and its certificate.

    Raises ``InputError`` for an unknown class, an unreadable file, and a chart with gaps or impossible codes.
    """
    strategy = setting.strategy
    if strategy == "total":
        found: TotalSolution = solve_total(setting.ranks, setting.rules)
        return found.solution, found.chart, found.certificate
    if strategy in CLASSES:
        return solve(setting.ranks, setting.rules, strategy), None, None
    path = Path(strategy)
    if not path.suffix:
        known = nearest(strategy, STRATEGIES)
        raise InputError(f"unknown strategy {strategy!r}; {known} (or give a chart, a .csv or .toml file)")
    chart = read_chart(path)
    refuse_gaps(chart, setting.ranks, setting.rules, path.name)
    return evaluate(chart, setting.ranks, setting.rules, f"chart {path.name}"), chart, None
