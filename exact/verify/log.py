"""A whole log replayed: read in blocks, each block by one query, findings added up, faulty rows kept whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from exact.errors import InputError
from exact.rulefile.game import Game, Wager
from exact.shoe import Shoe
from exact.verify.dealt import KIND
from exact.verify.findings import Findings, collect
from exact.verify.reading import SAMPLE, Reading, chosen, read_log
from exact.verify.replay import FAULTS, Replay
from exact.verify.rows import RowWriter
from exact.verify.settle import NAMED, Rounding, Settlement, find_settlement
from exact.verify.shoes import ShoeCounter
from exact.verify.source import LINE, Block, blocks, find_files
from exact.verify.stale import mark_stale

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class LogRequest:
    """What a user says of a log; what is None is recognised, or with ``strict`` refused.

    ``columns``: target = column of the log. ``decks``: what one shoe holds. ``paid``: "returned" (with the stake) or
    "net". ``memory``: bytes that one block of text may take. ``settle``: whether payments are checked.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    cards: str | None = None
    order: str | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False
    paid: str | None = None
    rounding: Rounding = "exact"
    unit: Fraction = Fraction(1)
    shoe: Shoe | None = None
    wagers: tuple[Wager, ...] = ()
    memory: int = 256 * 2**20
    settle: bool = True


@dataclass(frozen=True, slots=True)
class LogAnswer:
    """How the log was read, and what was found. ``skipped`` are checks that this log does not allow, each with the
    reason.
    """

    reading: Reading
    findings: Findings
    skipped: tuple[str, ...]


def replay_log(
    game: Game, paths: Sequence[str], request: LogRequest, rows: Path | None = None,
    progress: Callable[[int], None] | None = None, say: Callable[[Reading], None] | None = None,
) -> LogAnswer:  # fmt: skip
    """Replay every round of a log by the rules of a game.

    ``say`` is told how the log is read before anything is judged; ``rows`` gets the rows that fail, whole.

    Raises ``InputError`` for a log that cannot be read, or whose cards are not found.
    """
    files = find_files(paths)
    source = (block for path in files for block in blocks(path, request.memory // 8))
    first = next(source, None)
    if first is None:
        raise InputError(f"{files[0]}: holds no rounds")
    if not first.rows:
        why = (f": line {line}: {what}" for line, what, _ in first.unreadable)
        raise InputError(f"{first.file}: holds no rounds that can be read{next(why, '')}")
    replay = choose_reading(game, first, request)
    if say:
        say(replay.reading)
    findings = Findings()
    counter = ShoeCounter(replay, request.shoe or Shoe.decks(8, game.deck))
    with RowWriter(rows) as writer:
        _replay_blocks(replay, _chain(first, source), findings, counter, writer, progress)
    counter.close(findings)
    return LogAnswer(replay.reading, findings, tuple(_skipped(replay, request)))


def _chain(first: Block, rest: Iterator[Block]) -> Iterator[Block]:
    yield first
    yield from rest


def _replay_blocks(
    replay: Replay, source: Iterator[Block], findings: Findings, counter: ShoeCounter, writer: RowWriter,
    progress: Callable[[int], None] | None,
) -> None:  # fmt: skip
    import polars as pl

    before: pl.LazyFrame | None = None  # the rows before this block, of the same file
    file = ""
    for block in source:
        if block.file != file:
            file, before = block.file, None
        frame = _with_columns(block, replay.reading)
        try:
            prepared, judged, faulty = _judged(replay, frame, learn=False)
        except pl.exceptions.InvalidOperationError:  # a text that was not seen before
            prepared, judged, faulty = _judged(replay, frame, learn=True)
        faulty = mark_stale(replay, faulty, prepared, before)
        collect(replay, block, faulty, findings)
        counter.count(block, judged, findings)
        writer.write(block, replay, faulty)
        before = prepared
        if progress:
            progress(block.rows)


def _judged(replay: Replay, frame: pl.LazyFrame, learn: bool) -> tuple[pl.LazyFrame, pl.LazyFrame, pl.DataFrame]:
    """The rows of a block prepared, judged, and those of them with faults."""
    prepared = replay.prepare(frame, learn)
    judged = replay.judge(prepared)
    return prepared, judged, faulty_rows(replay, judged)


def _with_columns(block: Block, reading: Reading) -> pl.LazyFrame:
    """The block's frame; ``InputError`` where a file lacks a column that the first one had."""
    names = block.frame.collect_schema().names()
    missing = [name for name in reading.columns.used() if name not in names]
    if missing:
        raise InputError(f"{block.file}: has no column {', '.join(map(repr, missing))}, which the first file has")
    return block.frame


def faulty_rows(replay: Replay, judged: pl.LazyFrame) -> pl.DataFrame:
    """The rows with faults: what is needed to say which, and nothing of the others."""
    names = judged.collect_schema().names()
    kept = [
        n for n in names if n in replay.game.facts or n.startswith((KIND, "stated ", "amount ")) or n in (LINE, NAMED)
    ]
    rows = judged.filter(replay.faulty).with_columns(replay.faults()).select(*kept, FAULTS).collect(engine="streaming")
    return rows.sort(LINE)


def choose_reading(game: Game, first: Block, request: LogRequest) -> Replay:
    """Of the readings that a log allows, the one by which the fewest rows of its beginning are at fault."""
    sample = first.frame.head(SAMPLE).collect()
    readings = read_log(game, sample, request.columns, request.cards, request.order, request.words, request.strict)
    tried: list[tuple[int, int, Replay]] = []
    for reading in readings:
        for settlement in _settlements(game, reading, request):
            replay = Replay(reading, settlement)
            tried.append((faulty_rows(replay, replay.judge(replay.prepare(sample.lazy()))).height, len(tried), replay))
    faults, place, best = min(tried, key=lambda t: t[:2])
    said = []
    if len(readings) > 1:
        others = ", ".join(f"{replay.reading.order} {n}" for n, k, replay in tried if k != place)
        said.append(
            f"dealing order {best.reading.order}: {faults} rows of the first {sample.height} at fault ({others})"
        )
    elif best.reading.order:
        said.append(f"dealing order {best.reading.order}")
    if best.settlement:
        how = "net" if best.settlement.net else "returned with the stake"
        said.append(f"payments are {how}, rounded: {best.settlement.rounding}")
    for line in said:
        best.reading = chosen(best.reading, line)
    return best


def _settlements(game: Game, reading: Reading, request: LogRequest) -> list[Settlement | None]:
    if not request.settle:
        return [None]
    columns = reading.columns
    named = {wager.name: wager for wager in (*game.wagers, *request.wagers)}
    wagers = tuple(named.values())
    kinds = [request.paid == "net"] if request.paid else [False, True]
    made = [
        find_settlement(game, wagers, columns.stakes, columns.paid, columns.bet, net, request.rounding, request.unit)
        for net in kinds
    ]
    return list(made) if made[0] else [None]


def _skipped(replay: Replay, request: LogRequest) -> Iterator[str]:
    unread = [c for c in replay.reading.columns.claims if c not in replay.known]
    if unread:
        yield f"{', '.join(unread)}: the cards as written do not tell it"
    if replay.settlement:
        blind = [w.name for w in replay.settlement.wagers if not w.columns() <= replay.known]
        if blind and not replay.settlement.bet:
            yield f"settlement of {', '.join(blind)}: the cards as written do not tell it"
    if request.wagers and not replay.settlement:
        yield "settlement: the log has no columns for stake and payment"


def with_game(replay: Replay, game: Game) -> Replay:
    """The same log read for another game, such as the same one with other options."""
    return Replay(replace(replay.reading, game=game), replay.settlement)
