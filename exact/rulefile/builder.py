"""A merged rule document turned into a ``Game``: options, cards, tables, definitions, steps and wagers, all faults at
once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from exact.errors import InputError, nearest
from exact.rulefile.conditions import Reader
from exact.rulefile.document import Document, Faults
from exact.rulefile.evaluate import evaluate
from exact.rulefile.expression import FUNCTIONS, KEYWORDS, Lookup, Node, Value
from exact.rulefile.game import Breakdown, Game, Kind, Option, PrintedTable, Records, SlotColumn, Step, Wager, show
from exact.rulefile.meaning import UNKNOWN, Fact, fact_of, integer, study
from exact.rulefile.offering import moments
from exact.rulefile.printed import keys_of, read_table
from exact.rulefile.wagers import read_wager
from exact.shoe import Card, Deck


class Builder:
    """Turns one merged document into a ``Game``; each part is read with what the earlier parts defined."""

    def __init__(self, document: Document, file: str, name: str, text: str, options: Mapping[str, str]) -> None:
        self.faults = Faults(file, document.origins)
        self.document = self.faults.keys("", "", document.content)
        self.file, self.name, self.text = file, name, text
        self.options = self._options()
        self.chosen = self._chosen(options)
        self.macros: dict[str, tuple[tuple[str, ...], Node]] = {}
        self.reader = Reader(self.faults, self.macros, self.chosen)
        self.deck = self._deck()
        self.tables = self._tables()
        self._define()
        self.attributes = self._attributes()
        self.facts: dict[str, Fact] = {}
        self.slot_columns: dict[str, SlotColumn] = {}
        self.used: set[str] = set()  # records that the chosen options make wagers from

    def build(self, extras: bool = True) -> Game:
        """The game, with or without its extra wagers; ``InputError`` with everything that is wrong in the file."""
        named = ((step.get("name") or str(place), step) for place, step in enumerate(self._list("step"), 1))
        self.reader.later = {slot: name for name, step in named for slot in self._slots(step)}
        steps = tuple(self._step(raw, index) for index, raw in enumerate(self._list("step")))
        self._check_definitions()
        self.reader.moments = moments(steps, self.facts, self.slot_columns)
        records = {name: self._records(name, raw) for name, raw in self._tables_of("records")}
        asked = [raw for raw in self._list("wager") if extras or not raw.get("extra")]
        wagers = tuple(wager for index, raw in enumerate(asked) for wager in self._wagers(raw, index, records))
        self._refuse_twice("wager", [wager.name for wager in wagers])
        self._refuse_twice("step", [step.name for step in steps])
        breakdowns = tuple(self._breakdown(name, raw) for name, raw in self._tables_of("breakdown"))
        if not any(step.slots for step in steps):
            self.faults.add("step", "no step deals a card")
        if self.facts.get("outcome", UNKNOWN).kind not in ("text", "unknown"):
            self.faults.add("outcome", f"the outcome must be a text, not {self.facts['outcome'].kind}")
        self.faults.stop()
        return Game(
            name=self.name,
            title=str(self.document.get("title", self.name)),
            summary=str(self.document.get("summary", "")),
            file=self.file,
            text=self.text,
            deck=self.deck,
            attributes=self.attributes,
            options=self.options,
            chosen=self.chosen,
            steps=steps,
            tables=self.tables,
            records=tuple(record for record in records.values() if record.name in self.used),
            wagers=wagers,
            facts=self.facts,
            slot_columns=self.slot_columns,
            sources={key: str(value) for key, value in self.document.get("sources", {}).items()},
            macros=self.macros,
            definitions={head: str(text) for head, text in self.document.get("define", {}).items()},
            breakdowns=breakdowns,
            attribute_sources={name: str(raw.get("source", "")) for name, raw in self._tables_of("attribute")},
        )

    def _list(self, key: str) -> list[Mapping[str, Any]]:
        entries = enumerate(self.document.get(key, []), 1)
        return [self.faults.keys(key, f"{key} {item.get('name', place)!r}", item) for place, item in entries]

    def _tables_of(self, key: str) -> list[tuple[str, Mapping[str, Any]]]:
        tables = self.document.get(key, {}).items()
        return [(name, self.faults.keys(key, f"{key}.{name}", item)) for name, item in tables]

    def _refuse_twice(self, kind: str, names_: Sequence[str]) -> None:
        for name in sorted({name for name in names_ if names_.count(name) > 1}):
            self.faults.add(f"{kind} {name!r}", f"two {kind}s have this name")

    # -- options, cards, tables, definitions

    def _options(self) -> tuple[Option, ...]:
        return tuple(self._option(name, raw) for name, raw in self._tables_of("option"))

    def _option(self, name: str, raw: Mapping[str, Any]) -> Option:
        where, default, values = f"option.{name}", raw.get("default"), raw.get("values", [])
        for key in ("default", "meaning", "source"):
            if key not in raw:
                self.faults.add(f"{where}.{key}", "every option has a default, a meaning and a source")
        bounds = {key: Fraction(raw[key]) for key in ("least", "most") if key in raw}
        option = Option(
            name=name,
            kind=_option_kind(default, bool(values)),
            default=default,
            meaning=str(raw.get("meaning", "")),
            source=str(raw.get("source", "")),
            values=tuple(values),
            reading=bool(raw.get("reading")),
            assumed=bool(raw.get("assumed")),
            **bounds,
        )
        try:
            value = option.read(str(default).lower() if isinstance(default, bool) else str(default))
        except InputError as error:
            self.faults.add(f"{where}.default", str(error))
            value = Fraction(0)
        return replace(option, default=value)

    def _chosen(self, given: Mapping[str, str]) -> dict[str, Value]:
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise InputError(f"{self.name} has no option {name!r}; {nearest(name, known)}")
        return {name: option.read(given[name]) if name in given else option.default for name, option in known.items()}

    def _deck(self) -> Deck:
        raw = self.faults.keys("cards", "cards", self.document.get("cards", {}))
        given = enumerate(raw.get("groups", []), 1)
        groups = [self.faults.keys("cards", f"cards.groups[{place}]", group) for place, group in given] or [raw]
        cards = [
            (str(rank), suit)
            for group in groups
            for label in str(group.get("ranks", "")).split()
            for rank in keys_of(label)
            for suit in str(group.get("suits", "")).split()
        ]
        if not cards:
            self.faults.add("cards", 'say which cards a deck holds: ranks = "A 2 3 ..." and suits = "S H D C"')
            self.faults.stop()
        return Deck(tuple(cards))

    def _tables(self) -> tuple[PrintedTable, ...]:
        read = [
            read_table(name, raw, lambda key, reason, n=name: self.faults.add(f"table.{n}.{key}", reason))  # type: ignore[misc]
            for name, raw in self._tables_of("table")
        ]
        return tuple(table for table in read if table)

    def _define(self) -> None:
        """Tables and definitions by name: what stands for them in an expression, with the names of their arguments."""
        for table in self.tables:
            row = self.reader.parse_text(f"table.{table.name}.row", table.row)
            column = self.reader.parse_text(f"table.{table.name}.column", table.column) if table.column else None
            self.macros[table.name] = (table.arguments, Lookup(table.name, row, column, tuple(table.cells.items())))
        for head, text in self.document.get("define", {}).items():
            match = re.fullmatch(r"\s*(\w+)\s*(?:\(([\w\s,]*)\))?\s*", head)
            if not match or match[1].upper() in (*FUNCTIONS, *KEYWORDS) or match[1] in {**self.macros, **self.chosen}:
                self.faults.add(
                    f"define.{head!r}", 'a definition is called NAME or "NAME(a, b)", with a name of its own'
                )
                continue
            arguments = tuple(word.strip() for word in (match[2] or "").split(",") if word.strip())
            self.macros[match[1]] = (arguments, self.reader.parse_text(f"define.{head!r}", str(text)))

    def _check_definitions(self) -> None:
        """A name that tables or definitions read and that is no column is a fault even where nothing uses it."""
        heads = {head.partition("(")[0].strip(): f"define.{head!r}" for head in self.document.get("define", {})}
        for name, (arguments, node) in self.macros.items():
            where = heads.get(name, f"table.{name}")
            for word in sorted(self.macros.keys() & set(arguments)):
                self.faults.add(where, f"the argument {word!r} is already a table or definition")
            self.reader.check(where, node, {**self.facts, **dict.fromkeys(arguments, UNKNOWN)})

    def _attributes(self) -> dict[str, dict[Card, Value]]:
        found: dict[str, dict[Card, Value]] = {
            "rank": {card: card[0] for card in self.deck.cards},
            "suit": {card: card[1] for card in self.deck.cards},
        }
        for name, raw in self._tables_of("attribute"):
            found[name] = self._attribute(name, raw, found)
        return found

    def _attribute(
        self, name: str, raw: Mapping[str, Any], found: Mapping[str, Mapping[Card, Value]]
    ) -> dict[Card, Value]:
        where = f"attribute.{name}"
        if "is" in raw:
            scope = {other: column_fact(values) for other, values in found.items()}
            before = len(self.faults.found)
            node = self.reader.read(f"{where}.is", str(raw["is"]), scope)
            if len(self.faults.found) > before:
                return dict.fromkeys(self.deck.cards)
            return {card: evaluate(node, {k: v[card] for k, v in found.items()}) for card in self.deck.cards}
        by = 0 if "rank" in raw else 1
        given = raw.get("rank", raw.get("suit"))
        if not isinstance(given, Mapping):
            self.faults.add(where, "say rank = { A = 1, ... }, suit = { S = ..., ... } or is = EXPRESSION")
            return dict.fromkeys(self.deck.cards)
        known = self.deck.suits if by else self.deck.ranks
        for key in given:
            if key not in known:
                self.faults.add(f"{where}.{key}", f"no such {'suit' if by else 'rank'}; {nearest(key, known)}")
        for key in known:
            if key not in given:
                self.faults.add(where, f"says nothing of {key}")
        if len({type(value) for value in given.values()} | {Fraction}) > 2 or Fraction in map(type, given.values()):
            self.faults.add(where, "its values must all be whole numbers, all texts, or all true or false")
            return dict.fromkeys(self.deck.cards)
        return {card: given.get(card[by]) for card in self.deck.cards}

    # -- steps and wagers

    def _slots(self, raw: Mapping[str, Any]) -> list[str]:
        return str(raw.get("deal", raw.get("draw", ""))).split()

    def _step(self, raw: Mapping[str, Any], index: int) -> Step:
        name = str(raw.get("name", index + 1))
        where = f"step {name!r}"
        slots, lets, node = tuple(self._slots(raw)), [], None
        if not slots and not raw.get("let"):
            self.faults.add(where, "a step deals cards (deal, draw) or works out columns (let.NAME = EXPRESSION)")
        if "deal" in raw and "draw" in raw:
            self.faults.add(where, "a step has deal or draw, not both")
        if "when" in raw and not slots:
            self.faults.add(f"{where}.when", "only a step that deals cards has a condition; write CASE in a let")
        if "when" in raw and slots:
            node = self.reader.read(f"{where}.when", str(raw["when"]), self.facts, "truth")
        for slot in slots:
            self._add_slot(where, slot, nullable=node is not None)
            self.reader.later = {s: n for s, n in self.reader.later.items() if s != slot}
        for column, text in raw.get("let", {}).items():
            let = self.reader.read(f"{where}.let.{column}", str(text), self.facts)
            self._add_column(f"{where}.let.{column}", column, study(let, self.facts, []))
            lets.append((column, let))
        texts = {column: str(text) for column, text in raw.get("let", {}).items()}
        return Step(name, slots, node, str(raw.get("when", "")), tuple(lets), str(raw.get("source", "")), texts)

    def _add_slot(self, where: str, slot: str, nullable: bool) -> None:
        for attribute, values in self.attributes.items():
            column = slot if attribute == "value" else f"{slot}_{attribute}"
            fact = column_fact(values)
            self._add_column(where, column, Fact(fact.kind, fact.low, fact.high, fact.words, nullable))
            self.slot_columns[column] = SlotColumn(slot, attribute)

    def _add_column(self, where: str, column: str, fact: Fact) -> None:
        taken: dict[str, Mapping[str, object]] = {
            "a column": self.facts,
            "an option": self.chosen,
            "a table or definition": self.macros,
        }
        for kind, others in taken.items():
            if column in others:
                self.faults.add(where, f"the name {column!r} is already {kind}")
        if not re.fullmatch(r"[A-Za-z]\w*", column) or column.upper() in KEYWORDS:
            self.faults.add(where, f"{column!r} is not a name (letters, digits and _, no word of the language)")
        self.facts[column] = fact

    def _breakdown(self, name: str, raw: Mapping[str, Any]) -> Breakdown:
        columns = tuple(str(raw.get("columns", "")).split())
        for column in columns:
            if column not in self.facts:
                self.faults.add(f"breakdown.{name}.columns", f"no column {column!r}; {nearest(column, self.facts)}")
        if not columns:
            self.faults.add(f"breakdown.{name}.columns", "name the columns of a round to break results down by")
        return Breakdown(name, str(raw.get("title", name)), columns)

    def _records(self, name: str, raw: Mapping[str, Any]) -> Records:
        header = tuple(str(raw.get("header", "")).split())
        rows = tuple(tuple(str(cell) for cell in row) for row in raw.get("rows", []))
        for number, row in enumerate(rows, 1):
            if len(row) != len(header):
                self.faults.add(f"records.{name}.rows", f"row {number} has {len(row)} cells, the header {len(header)}")
        return Records(name, str(raw.get("title", name)), header, rows, str(raw.get("source", "")))

    def _wagers(self, raw: Mapping[str, Any], index: int, records: Mapping[str, Records]) -> list[Wager]:
        where = f"wager {raw.get('name', index + 1)!r}"
        if "each" not in raw:
            return [read_wager(self.reader, raw, where, self.facts)] if self._exists(where, raw) else []
        name = _fill(raw["each"], {key: show(value) for key, value in self.chosen.items()})
        if name not in records:
            self.faults.add(f"{where}.each", f"no such records {name!r}; {nearest(name, records)}")
            return []
        record = records[name]
        unknown = sorted(set(re.findall(r"\{(\w+)\}", str({**raw, "each": ""}))) - set(record.header))
        for word in unknown:
            self.faults.add(where, f"records {record.name!r} have no column {word!r}; {nearest(word, record.header)}")
        if unknown:
            return []
        rows = [dict(zip(record.header, row, strict=False)) for row in record.rows]
        made = [(row, _filled(raw, row)) for row in rows]
        kept = [(row, wager) for row, wager in made if self._exists(where, wager)]
        self.used |= {name} if kept else set()
        return [
            read_wager(self.reader, wager, f"{where} ({wager.get('name')})", self.facts, row) for row, wager in kept
        ]

    def _exists(self, where: str, raw: Mapping[str, Any]) -> bool:
        """Whether the options chosen (and the row that it is made from) give a wager at all."""
        found = self.reader.constant(f"{where}.if", raw.get("if", "TRUE"))
        if not isinstance(found, bool):
            self.faults.add(f"{where}.if", f"must be true or false by the options alone, not {raw['if']!r}")
        return found is True


def _fill(text: str, row: Mapping[str, str]) -> str:
    """A text with the cell of a row in place of each {name}."""
    return re.sub(r"\{(\w+)\}", lambda match: row.get(match[1], match[0]), text)


def _filled(raw: Mapping[str, Any], row: Mapping[str, str]) -> dict[str, Any]:
    """A wager made from one row: {name} in its texts is the cell of that name."""

    def fill(value: Any) -> Any:
        if isinstance(value, str):
            return _fill(value, row)
        if isinstance(value, list):
            return [fill(item) for item in value]
        return {fill(key): fill(item) for key, item in value.items()} if isinstance(value, Mapping) else value

    return {key: fill(value) for key, value in raw.items() if key != "each"}


def _option_kind(default: object, listed: bool) -> Kind:
    """What kind of value an option takes, by its default: a text without listed values is a fraction."""
    if isinstance(default, Fraction) or (isinstance(default, str) and not listed):
        return "fraction"
    return "truth" if isinstance(default, bool) else "integer" if isinstance(default, int) else "word"


def column_fact(values: Mapping[Card, Value]) -> Fact:
    """What an attribute can be over the cards of a deck."""
    kinds = list(dict.fromkeys(values.values()))
    if None in kinds:  # a fault that has been reported
        return UNKNOWN
    if all(type(value) is int for value in kinds):
        return integer(min(kinds), max(kinds))  # type: ignore[type-var, arg-type]
    return Fact("text", words=tuple(map(str, kinds))) if all(isinstance(v, str) for v in kinds) else fact_of(kinds[0])
