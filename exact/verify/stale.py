"""Stale cards: a further-card column that keeps the card of an earlier round although no card was drawn.

That is a fault of the log's shape, not of the dealing. A card that the rules do not deal is held to be stale if the
round is right without it and wrong with it by what the log itself states; or, where that does not tell, if it is the
card that stood there a row before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exact.verify.dealt import KIND
from exact.verify.replay import FAULTS, Replay
from exact.verify.source import LINE

if TYPE_CHECKING:
    import polars as pl

_BEFORE = "before "


def mark_stale(
    replay: Replay, faulty: pl.DataFrame, prepared: pl.LazyFrame, before: pl.LazyFrame | None
) -> pl.DataFrame:
    """The faulty rows with stale cards told apart: such a row is judged without them.

    ``prepared`` are all rows of the block, ``before`` are those of the block before it.
    """
    import polars as pl

    drew = sum(1 << k for k, check in enumerate(replay.checks) if check.fault == "drew when it must stand")
    asked = faulty.filter((pl.col(FAULTS) & drew != 0) & (pl.col(FAULTS) & replay.bits("shape") == 0))
    if replay.reading.columns.layout != "slots" or asked.is_empty():
        return faulty
    optional = [slot for step in replay.game.steps if step.when is not None for slot in step.slots]
    rows = asked.join(_rows_before(asked, prepared, before, optional), on=LINE, how="left", maintain_order="left")
    clean = _without(replay, rows)
    evidence = replay.evidence
    dropped = [pl.col(KIND + slot).is_not_null() & clean.get_column(KIND + slot).is_null() for slot in optional]
    same = pl.all_horizontal(
        ~gone | pl.col(KIND + slot).eq_missing(pl.col(_BEFORE + slot))
        for gone, slot in zip(dropped, optional, strict=True)
    )
    after = clean.get_column(FAULTS)
    rule = replay.bits("rule")
    worse = (pl.col(FAULTS) & evidence == 0) & (after & evidence != 0)
    proved = (pl.col(FAULTS) & evidence != 0) & (after & rule == 0)
    stale = rows.select((proved | (same & ~worse)).alias("stale")).get_column("stale")
    judged = clean.filter(stale).with_columns(pl.col(FAULTS) | replay.stale)
    shown = rows.filter(stale).select(LINE, *(pl.col(KIND + slot) for slot in optional))
    judged = judged.drop([KIND + slot for slot in optional]).join(shown, on=LINE, how="left", maintain_order="left")
    rest = faulty.join(judged.select(LINE), on=LINE, how="anti", maintain_order="left")
    return pl.concat([rest, judged.select(rest.columns)]).sort(LINE)


def _without(replay: Replay, rows: pl.DataFrame) -> pl.DataFrame:
    """The same rows played without the cards that the rules do not deal."""
    kept = [name for name in rows.columns if not name.startswith(_BEFORE) and name not in replay.game.facts]
    judged = replay.judge(rows.select(kept).drop(FAULTS).lazy(), drop=True).with_columns(replay.rule_faults)
    return judged.collect().select(n for n in rows.columns if not n.startswith(_BEFORE))


def _rows_before(
    asked: pl.DataFrame, prepared: pl.LazyFrame, before: pl.LazyFrame | None, optional: list[str]
) -> pl.DataFrame:
    """The cards that stood in the same places one row before each of the asked rows."""
    import polars as pl

    columns = [KIND + slot for slot in optional]
    lines = asked.get_column(LINE)
    found = prepared.select(LINE, *columns).with_columns(pl.col(LINE) + 1)
    rows = found.filter(pl.col(LINE).is_in(lines.implode())).collect(engine="streaming")
    if before is not None:
        rows = pl.concat([before.select(pl.col(LINE) + 1, *columns).tail(1).collect(), rows])
    return rows.rename({KIND + slot: _BEFORE + slot for slot in optional}).unique(LINE)
