"""A whole log of blackjack: every round held against the rules, findings and the cost of choices added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from exact.blackjack.cards import RANKS, RankShoe
from exact.blackjack.logchoices import Choice, Choices
from exact.blackjack.logfile import Dealt, Fault, UnjudgedError, find_columns, read_row
from exact.blackjack.logrules import dealer_faults, due, insurance_due, payment_option, play_faults, stated_faults
from exact.blackjack.rules import Rules, rule_data
from exact.blackjack.solve import solve
from exact.errors import InputError
from exact.shoe import Shoe
from exact.solvers import LogAsked, Tell
from exact.verify.findings import Finding, Findings, What
from exact.verify.rows import RowWriter
from exact.verify.source import LINE, Block, blocks, find_files

if TYPE_CHECKING:
    import polars as pl

SAMPLE = 2_000  # rounds from which it is seen whether payments are net


@dataclass(slots=True)
class Spent:
    """How often one choice was made, and, where it costs, the stakes of those rounds together."""

    count: int = 0
    stakes: Fraction = Fraction(0)


@dataclass(slots=True)
class Replayed:
    """What the replay of a log found: its findings, and every distinct choice with how often it was made."""

    said: tuple[str, ...]
    skipped: tuple[str, ...]
    findings: Findings = field(default_factory=Findings)
    choices: dict[Choice, Spent] = field(default_factory=dict)
    judged: int = 0  # rounds whose choices are counted


def replay(rules: Rules, shoe: Shoe, asked: LogAsked, tell: Tell | None = None) -> Replayed:
    """Hold every round of a log against the rules, and each choice against the best.

    Raises ``InputError`` for a log that cannot be read or lacks cards or actions, and for what only logs of rule files
    are asked.
    """
    _refuse_other_games(asked)
    files = find_files(asked.files)
    source = (block for path in files for block in blocks(path, asked.memory // 8))
    first = next(source, None)
    if first is None:
        raise InputError(f"{files[0]}: holds no rounds")
    columns = find_columns(_names(first), asked.columns, asked.strict)
    judge = Judge(rules, shoe, asked, columns)
    judge.net, how = _payments(judge, first)
    said = [", ".join(f"{target} = {column}" for target, column in columns.items()), *how]
    found = Replayed(tuple(said), tuple(_skipped(columns)))
    if asked.say:
        asked.say(found.said)
    with RowWriter(asked.rows) as writer:
        for block in chain((first,), source):
            _replay_block(judge, block, found, writer)
            if tell:
                tell(block.rows)
    return found


def _refuse_other_games(asked: LogAsked) -> None:
    for option, value in {"--cards": asked.cards, "--order": asked.order, "--words": asked.words}.items():
        if value:
            raise InputError(
                f"{option} is for logs of rule files; a log of blackjack has columns player, dealer, actions"
            )
    if asked.readings:
        raise InputError("--readings is for logs of rule files; give the options of blackjack with --option")


def _names(block: Block) -> list[str]:
    return [name for name in block.frame.collect_schema().names() if name != LINE]


def _texts(block: Block, columns: Mapping[str, str], rows: int | None = None) -> Iterator[tuple[int, dict[str, str]]]:
    """The cells that are read, row by row, as texts."""
    import polars as pl

    missing = [name for name in columns.values() if name not in _names(block)]
    if missing:
        raise InputError(f"{block.file}: has no column {', '.join(map(repr, missing))}, which the first file has")
    texts = [pl.col(name).cast(pl.String).fill_null("").alias(target) for target, name in columns.items()]
    frame = (block.frame if rows is None else block.frame.head(rows)).select(LINE, *texts).collect()
    for line, *cells in frame.iter_rows():
        yield line, dict(zip(columns, cells, strict=True))


def _payments(judge: Judge, first: Block) -> tuple[bool, list[str]]:
    """Whether payments are net or returned with the stake, as said or as fewer rounds of the beginning are at fault."""
    columns, asked = judge.columns, judge.asked
    if "stake" not in columns or not {"paid", "net"} & set(columns):
        return False, []
    if asked.strict and not asked.paid and "net" not in columns:
        raise InputError("--strict guesses nothing; say --paid returned or --paid net")
    if asked.paid or "net" in columns:
        net = asked.paid == "net" or "net" in columns
    else:
        net = _wrong_payments(judge, first, True) < _wrong_payments(judge, first, False)
    return net, [f"payments are {'net' if net else 'returned with the stake'}, rounded: {asked.rounding}"]


def _wrong_payments(judge: Judge, first: Block, net: bool) -> int:
    """How many rounds of the beginning are paid wrongly if payments are so written."""
    judge.net = net
    judge.restart()
    rounds = [judge.faults(cells)[1] for _, cells in _texts(first, judge.columns, SAMPLE)]
    judge.restart()
    return sum(fault.fault == "wrong settlement" for faults in rounds for fault in faults)


def _skipped(columns: Mapping[str, str]) -> Iterator[str]:
    if "stake" not in columns or not {"paid", "net"} & set(columns):
        yield "settlement: the log has no columns for stake and payment"
    if "insurance" not in columns:
        yield "insurance: the log has no column for it"


class Judge:
    """What one round is held against; ``net`` says whether the log's payments are without the stake."""

    def __init__(self, rules: Rules, shoe: Shoe, asked: LogAsked, columns: Mapping[str, str]) -> None:
        self.rules, self.shoe, self.asked, self.columns = rules, shoe, asked, columns
        self.choices = Choices(solve(RankShoe.of(shoe), rules))
        self.net = False
        self._counts = self._copies()
        self._fewest_cards = min(self._counts.values())
        self._fewest_ranks = min(RankShoe.of(shoe).counts)
        self.restart()

    def restart(self) -> None:
        """Forget the cards of the rounds so far."""
        self._gone: Counter[str] = Counter()
        self._shoe_id = ""

    def _copies(self) -> dict[str, int]:
        """How many cards of each rank, and of each card where suits are known, the shoe holds."""
        counts = dict(zip(RANKS, RankShoe.of(self.shoe).counts, strict=True))
        suited = {"".join(card): n for card, n in self.shoe.counts().items()} if self.shoe.has_suits else {}
        return counts | suited

    def faults(self, cells: Mapping[str, str]) -> tuple[Dealt | None, list[Fault]]:
        """The round, if it can be read and judged, and what is wrong with it."""
        try:
            dealt = read_row(cells)
            self._count(dealt, cells.get("shoe", ""))
        except UnjudgedError as error:
            return None, [error.fault]
        played = list(play_faults(dealt, self.choices))
        if any(fault.group == "shape" for fault in played):
            return None, [fault for fault in played if fault.group == "shape"]
        found = [*played, *dealer_faults(dealt, self.rules, self._has_more(dealt))]
        if not found:  # what follows a wrong draw is not judged
            found = [*stated_faults(dealt, self.rules), *self._settlement(dealt)]
        return (None if played else dealt), found

    def _has_more(self, dealt: Dealt) -> bool:
        out = len(dealt.dealer) + sum(map(len, dealt.hands))
        return self.shoe.infinite or out < self.shoe.size

    def _count(self, dealt: Dealt, shoe_id: str) -> None:
        """The cards of the round, or of all rounds so far of the same shoe, against what the shoe holds."""
        fewest = self._fewest_cards if dealt.suited else self._fewest_ranks
        few = len(dealt.dealer) + sum(map(len, dealt.hands)) <= fewest  # not too many, whatever they are
        if self.shoe.infinite or (few and not shoe_id):
            return
        if not shoe_id or shoe_id != self._shoe_id:
            self._shoe_id, self._gone = shoe_id, Counter()
        cards = Counter(RANKS[card] for hand in (*dealt.hands, dealt.dealer) for card in hand) + Counter(dealt.suited)
        self._gone.update(cards)
        for card in cards:
            if self._gone[card] > self._counts.get(card, 0):
                where = "of one shoe" if shoe_id else "in one round"
                most = f"{self._counts.get(card, 0)} copies of {card}"
                raise UnjudgedError(
                    Fault("shape", "more copies than the shoe holds", where, most, f"{self._gone[card]} of {card}")
                )

    def _settlement(self, dealt: Dealt) -> Iterator[Fault]:
        if dealt.stake is None:
            return
        apart = "insurance_paid" in self.columns
        if {"paid", "net"} & set(self.columns):
            right = self._rounded(dealt.stake * due(dealt, self.rules, self.net, not apart))
            if (dealt.paid or 0) != right:
                option = payment_option(dealt, self.rules)
                yield Fault("rule", "wrong settlement", "the bet", _money(right), _money(dealt.paid), option)
        if apart:
            right = self._rounded(dealt.stake * insurance_due(dealt, self.net))
            if (dealt.insurance_paid or 0) != right:
                seen = _money(dealt.insurance_paid)
                yield Fault("rule", "wrong settlement", "insurance", _money(right), seen, "insurance")

    def _rounded(self, amount: Fraction) -> Fraction:
        units = amount / self.asked.unit
        match self.asked.rounding:
            case "exact":
                return amount
            case "floor":
                return units // 1 * self.asked.unit
        return (units + Fraction(1, 2)) // 1 * self.asked.unit


def _money(amount: Fraction | None) -> str:
    return "nothing" if amount is None else f"{float(amount):.10g}"


def _replay_block(judge: Judge, block: Block, found: Replayed, writer: RowWriter) -> None:
    findings = found.findings
    findings.rows += block.rows + len(block.unreadable)
    findings.shape += len(block.unreadable)
    for line, why, text in block.unreadable:
        findings.add(What("shape", "unreadable row", why), Finding(1, block.file, line, seen=text))
    marked: list[tuple[int, str, str]] = []
    for line, cells in _texts(block, judge.columns):
        dealt, faults = judge.faults(cells)
        if faults:
            _note(judge.rules, block, line, cells, faults, findings)
            marked.append((line, _words(faults, "shape"), _words(faults, "rule")))
        if dealt is not None:
            found.judged += 1
            for choice in judge.choices.made(dealt):
                spent = found.choices.get(choice) or found.choices.setdefault(choice, Spent())
                spent.count += 1
                if choice.cost and dealt.stake:
                    spent.stakes += dealt.stake
    writer.add(block, _frame(marked))


def _note(
    rules: Rules, block: Block, line: int, cells: Mapping[str, str], faults: Sequence[Fault], findings: Findings
) -> None:
    groups = {fault.group for fault in faults}
    findings.shape += "shape" in groups
    findings.rule += "rule" in groups
    for fault in faults:
        rule, source = _reason(rules, fault.option)
        cards = f"player {cells['player']}, dealer {cells['dealer']}, {cells['actions'].strip() or 'no action'}"
        what = What(fault.group, fault.fault, fault.about, rule, source)
        findings.add(what, Finding(1, block.file, line, cards, fault.expected, fault.seen))


def _reason(rules: Rules, option: str) -> tuple[str, str]:
    """The option that decides, as it is set, with its meaning and source."""
    if not option:
        return "", ""
    about = rule_data()["options"][option]
    return f"{option}={rules.as_texts()[option]}: {about['meaning']}", str(about["source"])


def _words(faults: Sequence[Fault], group: str) -> str:
    return "; ".join(f"{fault.fault} ({fault.about})" for fault in faults if fault.group == group)


def _frame(marked: Sequence[tuple[int, str, str]]) -> pl.DataFrame:
    import polars as pl

    schema = {LINE: pl.UInt32, "shape": pl.String, "rule": pl.String}
    return pl.DataFrame(marked, schema=schema, orient="row")
