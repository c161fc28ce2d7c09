"""Games of forced play: questions about a rule file, answered by enumeration.

What only one kind of question needs is imported where it is asked, so that ``exact compute`` starts quickly.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from exact.answer import report
from exact.errors import InputError
from exact.games import load
from exact.output import Report
from exact.result import Result, compute
from exact.rulefile.game import Game, Wager
from exact.rulefile.wagers import read_wagers
from exact.solvers import WITH_CHOICES, About, Asked, LogAsked, Question, Tell
from exact.wager import parse_inline

if TYPE_CHECKING:
    from exact.polynomial.compiled import Compiled
    from exact.published.figures import Figure


class Forced:
    """The solver of every rule file."""

    def about(self, game: str) -> About:
        """The game in one line."""
        found = load(game)
        return About(found.name, found.title, "forced play", found.summary, len(found.options))

    def compute(self, question: Question, tell: Tell | None = None) -> Report:
        """Outcomes and wagers, exact; with the states in which wagers are offered in the course of a round."""
        result = answer(question, tell)
        found = report(result)
        wagers = chosen_wagers(result.game, question.wagers, question.wager_files)
        wagers = list(result.game.wagers) if wagers is None else wagers
        if not any(wager.offer for wager in wagers):
            return found
        from exact.offers.offersheet import with_cells

        return with_cells(found, result, wagers)

    def rules(self, question: Question) -> Report:
        """Tables, steps, options and wagers as a person reads them."""
        from exact.rulebook import rulebook

        return rulebook(load(question.game, question.options))

    def rule_file(self, game: str) -> str:
        """The rule file itself."""
        return load(game).text

    def deal(self, question: Question, cards: Sequence[str]) -> Report:
        """One round, step by step."""
        from exact.explained import explained
        from exact.trace import play

        game = load(question.game, question.options)
        trace = play(game, cards, chosen_wagers(game, question.wagers, question.wager_files))
        return explained(trace.complete())

    def verify_log(self, question: Question, asked: LogAsked, tell: Tell | None = None) -> tuple[Report, int]:
        """Every round replayed by the rule file, or by each of its readings."""
        from exact.verify.answer import log_report, readings_report
        from exact.verify.log import LogRequest, replay_log
        from exact.verify.readings import log_readings

        game = load(question.game, question.options)
        wagers = tuple(chosen_wagers(game, question.wagers, question.wager_files) or ())
        request = LogRequest(
            asked.columns, asked.cards, asked.order, asked.words, asked.strict, asked.paid, asked.rounding, asked.unit,
            question.shoe.shoe(game.deck), wagers, asked.memory,
        )  # fmt: skip
        if asked.readings:
            return readings_report(log_readings(game, asked.files, request, tell, question.game))
        say = asked.say
        told = None if say is None else (lambda reading: say(reading.said))
        return log_report(replay_log(game, asked.files, request, asked.rows, tell, told), asked.files)

    def figures(self, asked: Sequence[Asked], tell: Tell | None = None) -> Sequence[Figure]:
        """All of a file's quantities, in a few enumerations."""
        from exact.published.measured import measure

        return measure(asked, tell)

    def kinds(self, question: Question) -> Mapping[str, int]:
        """Ranks, or cards where a wager looks at suits."""
        game = load(question.game, question.options)
        counted, shoe = self._compiled(question).by_rank_or_card, question.shoe.shoe(game.deck)
        if shoe.infinite:
            raise InputError("an infinite shoe never changes: no card removed has an effect; give a number of decks")
        return dict(zip(counted.labels, counted.counts(shoe), strict=True))

    def expectations(
        self, question: Question, removals: Sequence[Sequence[str]], tell: Tell | None = None
    ) -> Mapping[str, Sequence[Fraction | None]]:
        """All shoes at once, on the counting polynomial."""
        import numpy as np

        counts = self.kinds(question)
        shoes = np.array([[count - list(taken).count(kind) for kind, count in counts.items()] for taken in removals])
        found = self._compiled(question)
        most, size, least = max(map(len, removals)), sum(counts.values()), len(found.game.slots)
        if size - most < least:
            raise InputError(f"the shoe holds {size} cards, with {most} of them removed too few for a round ({least})")
        many = found.at_many(shoes, found.by_rank_or_card)
        if tell:
            tell(len(shoes))
        worth = {m.wager.name: many.expectation(place) for place, m in enumerate(found.measures) if m.wager}
        return {
            name: [Fraction(int(net), int(offered)) if offered else None for net, offered in zip(*parts, strict=True)]
            for name, parts in worth.items()
        }

    def _compiled(self, question: Question) -> Compiled:
        from exact.polynomial.compiled import compiled

        game = load(question.game, question.options)
        return compiled(game, chosen_wagers(game, question.wagers, question.wager_files), question.given)


SOLVER = Forced()


def rule_game(name: str, options: Mapping[str, str]) -> Game:
    """A game whose rules are a file, for questions that only such games can be asked; ``InputError`` for the others."""
    if name in WITH_CHOICES:
        raise InputError(f"{name} is a game with choices; this is asked of games of forced play, which are rule files")
    return load(name, options)


def answer(question: Question, tell: Tell | None = None) -> Result:
    """The result of a question about a rule file."""
    game = load(question.game, question.options, extras=bool(question.wagers or question.wager_files))
    shoe = question.shoe.shoe(game.deck)
    wagers = chosen_wagers(game, question.wagers, question.wager_files)
    return compute(game, shoe, wagers, question.given, question.dealt, question.by, tell)


def chosen_wagers(game: Game, asked: Sequence[str], files: Sequence[str]) -> list[Wager] | None:
    """The wagers a user asks for: by name, written out, or from files ("all": every wager of the game); None for the
    usual ones.

    Raises ``InputError`` for an unknown name, an unreadable wager or file, and two wagers of one name.
    """
    if not asked and not files:
        return None
    found: list[Wager] = []
    for text in asked:
        written = ":" in text or " pays " in text
        found += read_wagers(game, [parse_inline(text)], "--wager") if written else [game.wager(text)]
    for file in files:
        found += game.wagers if file == "all" else read_wagers(game, _wager_file(Path(file)), Path(file).name)
    names = [wager.name for wager in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two wagers are called {name!r}")
    return found


def _wager_file(path: Path) -> list[dict[str, object]]:
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Fraction).get("wager")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: not a TOML file: {error}") from None
    if not isinstance(raw, list) or not raw:
        raise InputError(f"{path.name}: a file of wagers holds [[wager]] entries with name and pays")
    return raw
