"""The report of ``exact effects``: effects of removal, counts made from them, and how far a count can see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from exact.answer import provenance
from exact.errors import InputError, nearest
from exact.forced import chosen_wagers
from exact.games import load
from exact.output.report import Column, Report, Table
from exact.polynomial.compiled import compiled
from exact.polynomial.effects import Effects, Tags, effects, judged, rounded
from exact.polynomial.linear import Spread, spread
from exact.solvers import WITH_CHOICES, Question, Tell, solver

FIRST_COLUMNS = (
    Column("wager"),
    Column("card"),
    Column("cards", "integer"),
    Column("effect", "exact", "effect of removal"),
)
SECOND_COLUMNS = (Column("wager"), Column("card"), Column("other"), Column("joint_effect", "exact", "joint effect"))
COUNT_COLUMNS = (
    Column("wager"),
    Column("count"),
    Column("tags"),
    Column("balance", "integer", "sum of tags"),
    Column("correlation", "number", "correlation over cards"),
    Column("uncentred", "number", "cosine"),
    Column("loss", "exact", "loss", shown="value"),
)
DEPTH_COLUMNS = (
    Column("wager"),
    Column("left", "integer", "cards left"),
    Column("weight", "exact", "effects times", shown="value"),
    Column("deviation", "number", "std dev of expectation"),
    Column("r_squared", "exact", "R^2 of best linear count", shown="value"),
    Column("best", "number", "its correlation"),
    *(Column(f"tags_{most}", "number", f"tags to {most}") for most in (1, 2, 3, 4)),
)
LEVELS = (1, 2, 3, 4)  # the largest tags that people can keep in mind


def effects_report(
    question: Question, order: int = 1, tags: Mapping[str, str] | None = None, tell: Tell | None = None
) -> Report:
    """Effects of removal of the asked wagers from a shoe; ``tags`` are further counts to judge, each as "A=-1,2=1".

    Raises ``InputError`` for an infinite shoe and for tags of unknown cards.
    """
    found = effects(question, order, tell)
    if not found:
        raise InputError("none of these wagers is ever offered from this shoe")
    counts = {one.name: [*_roundings(one), *_own(one, tags or {})] for one in found}
    tables = [
        Table("effects", [row for one in found for row in _first_rows(one)], FIRST_COLUMNS, "E(shoe - card) - E(shoe)"),
        Table("counts", [row for one in found for row in _count_rows(one, counts[one.name])], COUNT_COLUMNS, "Counts"),
    ]
    if order > 1:
        rows = [row for one in found for row in _second_rows(one)]
        title = "E(shoe - both) - E(shoe - one) - E(shoe - other) + E(shoe)"
        tables.append(Table("second", rows, SECOND_COLUMNS, title))
    depth, remarks = _depth_rows(question, found, counts)
    if depth:
        title = "By cards left, over uniformly random subsets of the shoe: correlations with the exact expectation"
        tables.append(Table("depth", depth, DEPTH_COLUMNS, title))
    heading = [f"{one.name}: expectation {float(one.base):.10f}" for one in found]
    return Report(_provenance(question), tuple(tables), heading=(*heading, *remarks))


def _provenance(question: Question) -> Mapping[str, Any]:
    """What the first expectation belongs to: of a game with choices its own report says it, with the strategy."""
    if question.game in WITH_CHOICES:
        return solver(question.game).compute(question).provenance
    game = load(question.game, question.options)
    return provenance(game, question.shoe.shoe(game.deck)) | {"given": question.given}


def _first_rows(one: Effects) -> list[dict[str, Any]]:
    return [
        {"wager": one.name, "card": kind, "cards": one.counts[kind], "effect": effect}
        for kind, effect in one.first.items()
    ]


def _second_rows(one: Effects) -> list[dict[str, Any]]:
    return [
        {"wager": one.name, "card": card, "other": other, "joint_effect": joint}
        for (card, other), joint in one.second.items()
    ]


def _roundings(one: Effects) -> list[tuple[str, Tags]]:
    found = [(f"tags to {most}", rounded(one, most)) for most in LEVELS]
    return [(name, tags) for name, tags in found if tags]


def _own(one: Effects, tags: Mapping[str, str]) -> list[tuple[str, Tags]]:
    found = []
    for name, text in tags.items():
        values = dict.fromkeys(one.counts, 0)
        for card, tag in _tags(name, text).items():
            if card not in values:
                raise InputError(f"--tags {name}: no card {card!r}; {nearest(card, values)}")
            values[card] = tag
        found.append((name, judged(values, one)))
    return found


def _tags(name: str, text: str) -> dict[str, int]:
    """Tags such as "A=-1,2=1"; a card may be a negative number too."""
    tags: dict[str, int] = {}
    for part in text.split(","):
        card, _, tag = (word.strip() for word in part.partition("="))
        if not tag.removeprefix("-").isdecimal() or not tag.isascii():
            raise InputError(f"--tags {name}: the tag of {card!r} must be a whole number such as -1, not {tag!r}")
        if card in tags:
            raise InputError(f"--tags {name}: {card!r} stands there twice")
        tags[card] = int(tag)
    return tags


def _count_rows(one: Effects, counts: Sequence[tuple[str, Tags]]) -> list[dict[str, Any]]:
    return [
        {
            "wager": one.name, "count": name,
            "tags": ",".join(f"{card}={tag}" for card, tag in tags.tags.items() if tag),
            "balance": tags.balance, "correlation": tags.correlation, "uncentred": tags.uncentred, "loss": tags.loss,
        }
        for name, tags in counts
    ]  # fmt: skip


def _depth_rows(
    question: Question, found: Sequence[Effects], counts: Mapping[str, Sequence[tuple[str, Tags]]]
) -> tuple[list[dict[str, Any]], list[str]]:
    """How the expectation varies with the cards left, and how much of it counts explain; and why not, where not."""
    if question.game in WITH_CHOICES:
        return [], ["by cards left: not for games with choices, whose expectation is no average over fixed hands"]
    game = load(question.game, question.options)
    shoe = question.shoe.shoe(game.deck)
    parts = compiled(game, chosen_wagers(game, question.wagers, question.wager_files), question.given)
    rows, remarks = list[dict[str, Any]](), list[str]()
    for place, measure in enumerate(parts.measures):
        one = next((one for one in found if measure.wager and one.name == measure.wager.name), None)
        if one is None:
            continue
        try:
            varied = spread(parts, place, shoe)
        except InputError as error:
            remarks.append(f"by cards left: {error}")
            continue
        rows += [_depth_row(one, varied, left, counts[one.name]) for left in _depths(shoe.size, varied.least)]
    return rows, remarks


def _depths(size: int, least: int) -> list[int]:
    """Cards left to report: every half deck, and the ends of the shoe."""
    return sorted({size - 1, *range(26, size, 26), *(n for n in (least, 10, 15, 20) if n < size)}, reverse=True)


def _depth_row(one: Effects, varied: Spread, left: int, counts: Sequence[tuple[str, Tags]]) -> dict[str, Any]:
    explained = varied.linear(left)
    best = None if explained is None else float(explained) ** 0.5
    row: dict[str, Any] = {
        "wager": one.name, "left": left, "weight": varied.weight(left),
        "deviation": float(varied.variance(left)) ** 0.5, "r_squared": explained, "best": best,
    }  # fmt: skip
    for most, (_, tags) in zip(LEVELS, counts, strict=False):
        if best is not None and tags.correlation is not None:
            row[f"tags_{most}"] = tags.correlation * best
    return row
