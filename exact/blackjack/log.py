"""A whole log of blackjack: every round held against the rules, findings and the cost of choices added up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from exact.blackjack.logchoices import Choice
from exact.blackjack.logfile import Fault, UnjudgedError, find_columns, read_row
from exact.blackjack.logjudge import Judge
from exact.blackjack.rules import Rules, rule_data
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
    from_seen: bool  # the log says which cards were seen before each round, and its shoe is valued without them
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
    _refuse_unreadable(judge, first)
    judge.net, how = _payments(judge, first)
    said = [", ".join(f"{target} = {column}" for target, column in columns.items()), *how]
    found = Replayed(tuple(said), "seen" in columns, tuple(_skipped(columns)))
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


def _refuse_unreadable(judge: Judge, first: Block) -> None:
    """A log none of whose first rounds can be read is no such log."""
    bad = None
    for _, cells in _texts(first, judge.columns, SAMPLE):
        try:
            read_row(cells)
        except UnjudgedError as error:
            bad = bad or error.fault
        else:
            return
    if bad:
        raise InputError(
            f"{first.file}: no round can be read: {bad.fault} in {bad.about}, {bad.seen!r}; {bad.expected}"
        )


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
