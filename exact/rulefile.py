"""A rule file (TOML) read, checked and typed, with its options filled in; every fault is named with file, key and reason."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from exact.errors import InputError, nearest
from exact.evaluate import evaluate, fold
from exact.expression import FUNCTIONS, Call, ExpressionError, Literal, Lookup, Name, Node, Value, names, parse, rebuild, substitute
from exact.game import Game, Option, PayLine, PrintedTable, Records, SlotColumn, Step, Wager
from exact.meaning import Fact, Scope, fact_of, integer, study
from exact.printed import keys_of, read_table
from exact.shoe import Card, Deck

KEYS = {
    "": "title summary extends sources cards attribute option define table records step wager wagers",
    "cards": "ranks suits groups",
    "attribute": "rank suit is source",
    "option": "default values least most meaning source reading assumed",
    "table": "title row column columns words cells source",
    "records": "title header rows source",
    "step": "name deal draw when let source after",
    "wager": "name title pays offered source assumed extra each",
    "pays": "when odds",
}  # fmt: skip
Macros = Mapping[str, tuple[tuple[str, ...], Node]]


class Faults:
    """Everything wrong with one file, so that it can be said at once."""

    def __init__(self, file: str) -> None:
        self.file, self.found = file, list[str]()

    def add(self, key: str, reason: str) -> None:
        line = f"{self.file}: {key}: {reason}"
        if line not in self.found:
            self.found.append(line)

    def stop(self) -> None:
        if self.found:
            raise InputError("\n".join(self.found))

    def keys(self, kind: str, where: str, raw: object) -> Mapping[str, Any]:
        """The table at ``where``, with every key that its kind does not have reported."""
        if not isinstance(raw, Mapping):
            self.add(where, "must be a table")
            return {}
        known = KEYS[kind].split()
        for key in raw:
            if key not in known:
                self.add(f"{where}.{key}".lstrip("."), f"unknown key; {nearest(key, known)}")
        return raw


def read_document(path: Path, find: Any, seen: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The TOML of a file with what it extends merged under it and its wager files added; fractions exact.

    ``find`` turns the name of another game or file into a path.
    """
    if path in seen:
        raise InputError(f"{path.name}: extends: the files extend each other in a circle")
    try:
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text, parse_float=Fraction)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: not a TOML file: {error}") from None
    for name in _listed(document, "wagers", path):
        extra = tomllib.loads(find(name, path).read_text(encoding="utf-8"), parse_float=Fraction)
        document = merge({key: document[key] for key in document}, extra, path)
    if "extends" in document:
        document = merge(read_document(find(str(document["extends"]), path), find, (*seen, path)), document, path)
    return document


def _listed(document: Mapping[str, Any], key: str, path: Path) -> list[str]:
    names_ = document.get(key, [])
    if not isinstance(names_, list) or not all(isinstance(name, str) for name in names_):
        raise InputError(f"{path.name}: {key}: must be a list of file names")
    return names_


def merge(base: Mapping[str, Any], change: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """A document with another on top: tables by key, steps and wagers by name (a new step may say ``after``)."""
    merged = dict(base)
    for key, value in change.items():
        old = merged.get(key)
        if key in ("step", "wager") and isinstance(old, list) and isinstance(value, list):
            merged[key] = _merge_named(old, value, f"{path.name}: {key}")
        elif isinstance(old, Mapping) and isinstance(value, Mapping) and key not in ("cells", "cards", "words"):
            merged[key] = {**old, **value}
        else:
            merged[key] = value
    return merged


def _merge_named(base: list[Any], change: list[Any], where: str) -> list[Any]:
    merged = list(base)
    for item in change:
        known = [other.get("name") for other in merged]
        name, after = item.get("name"), item.get("after")
        if name in known:
            merged[known.index(name)] = item
        elif after is None:
            merged.append(item)
        elif after in known:
            merged.insert(known.index(after) + 1, item)
        else:
            raise InputError(f"{where} {name!r}: after: no such step {after!r}; {nearest(str(after), map(str, known))}")
    return merged


class Builder:
    """Turns one merged document into a ``Game``; each part is read with what the earlier parts defined."""

    def __init__(self, document: Mapping[str, Any], file: str, name: str, text: str, options: Mapping[str, str]) -> None:
        self.faults = Faults(file)
        self.document = self.faults.keys("", "", document)
        self.file, self.name, self.text = file, name, text
        self.options = self._options()
        self.chosen = self._chosen(options)
        self.constants: dict[str, Node] = {name: Literal(_plain(value)) for name, value in self.chosen.items()}
        self.deck = self._deck()
        self.tables = self._tables()
        self.macros = self._macros()
        self.attributes = self._attributes()
        self.facts: dict[str, Fact] = {}
        self.slot_columns: dict[str, SlotColumn] = {}

    def build(self) -> Game:
        self._later = {c: step.get("name", "") for step in self._list("step") for c in self._slots(step)}
        steps = tuple(self._step(raw, index) for index, raw in enumerate(self._list("step")))
        records = tuple(self._records(name, raw) for name, raw in self._tables_of("records"))
        by_name = {record.name: record for record in records}
        wagers = tuple(w for i, raw in enumerate(self._list("wager")) for w in self._wagers(raw, i, by_name))
        for name in sorted({w.name for w in wagers if [v.name for v in wagers].count(w.name) > 1}):
            self.faults.add(f"wager {name!r}", "two wagers have this name")
        if not any(step.slots for step in steps):
            self.faults.add("step", "no step deals a card")
        self.faults.stop()
        return Game(
            self.name, str(self.document.get("title", self.name)), str(self.document.get("summary", "")), self.file, self.text,
            self.deck, self.attributes, self.options, self.chosen, steps, self.tables, records, wagers, self.facts,
            self.slot_columns, {k: str(v) for k, v in self.document.get("sources", {}).items()}, self.macros,
        )  # fmt: skip

    def _list(self, key: str) -> list[Mapping[str, Any]]:
        raw = self.document.get(key, [])
        if not isinstance(raw, list):
            self.faults.add(key, f"write [[{key}]], one for each")
            return []
        return [self.faults.keys(key, f"{key} {item.get('name', i + 1)!r}", item) for i, item in enumerate(raw)]

    def _tables_of(self, key: str) -> list[tuple[str, Mapping[str, Any]]]:
        raw = self.document.get(key, {})
        if not isinstance(raw, Mapping):
            self.faults.add(key, f"write [{key}.NAME]")
            return []
        return [(name, self.faults.keys(key, f"{key}.{name}", item)) for name, item in raw.items()]

    # -- options, cards, tables, definitions ---------------------------------------------------------------------------

    def _options(self) -> tuple[Option, ...]:
        return tuple(self._option(name, raw) for name, raw in self._tables_of("option"))

    def _option(self, name: str, raw: Mapping[str, Any]) -> Option:
        where, default, values = f"option.{name}", raw.get("default"), raw.get("values", [])
        for key in ("default", "meaning", "source"):
            if key not in raw:
                self.faults.add(f"{where}.{key}", "every option has a default, a meaning and a source")
        number = isinstance(default, Fraction) or (isinstance(default, str) and not values)
        kind = "truth" if isinstance(default, bool) else "integer" if isinstance(default, int) else "word"
        option = Option(
            name, "fraction" if number else kind, default, str(raw.get("meaning", "")), str(raw.get("source", "")),  # type: ignore[arg-type]
            tuple(values), *(None if raw.get(k) is None else Fraction(raw[k]) for k in ("least", "most")),
            bool(raw.get("reading")), bool(raw.get("assumed")),
        )  # fmt: skip
        try:
            value = option.read(str(default).lower() if isinstance(default, bool) else str(default))
        except InputError as error:
            self.faults.add(f"{where}.default", str(error))
            value = Fraction(0)
        return Option(*(value if field == "default" else getattr(option, field) for field in Option.__slots__))

    def _chosen(self, given: Mapping[str, str]) -> dict[str, Value]:
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise InputError(f"{self.name} has no option {name!r}; {nearest(name, known)}")
        return {name: option.read(given[name]) if name in given else option.default for name, option in known.items()}

    def _deck(self) -> Deck:
        raw = self.faults.keys("cards", "cards", self.document.get("cards", {}))
        groups = raw.get("groups") or [raw]
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

    def _macros(self) -> dict[str, tuple[tuple[str, ...], Node]]:
        """Tables and definitions by name: what stands for them in an expression, with the names of their arguments."""
        macros: dict[str, tuple[tuple[str, ...], Node]] = {}
        for table in self.tables:
            row = self._parse(f"table.{table.name}.row", table.row)
            column = self._parse(f"table.{table.name}.column", table.column) if table.column else None
            macros[table.name] = ((), Lookup(table.name, row, column, tuple(table.cells.items())))
        for head, text in self.document.get("define", {}).items():
            match = re.fullmatch(r"\s*(\w+)\s*(?:\(([\w\s,]*)\))?\s*", head)
            if not match or match[1].upper() in FUNCTIONS or match[1] in macros:
                self.faults.add(f"define.{head!r}", 'a definition is called NAME or "NAME(a, b)", with a name of its own')
                continue
            arguments = tuple(word.strip() for word in (match[2] or "").split(",") if word.strip())
            macros[match[1]] = (arguments, self._parse(f"define.{head!r}", str(text)))
        return macros

    def _attributes(self) -> dict[str, dict[Card, Value]]:
        found: dict[str, dict[Card, Value]] = {
            "rank": {card: card[0] for card in self.deck.cards},
            "suit": {card: card[1] for card in self.deck.cards},
        }
        for name, raw in self._tables_of("attribute"):
            found[name] = self._attribute(name, raw, found)
        return found

    def _attribute(self, name: str, raw: Mapping[str, Any], found: Mapping[str, Mapping[Card, Value]]) -> dict[Card, Value]:
        where = f"attribute.{name}"
        if "is" in raw:
            scope = {other: column_fact(values) for other, values in found.items()}
            node = self.read(f"{where}.is", str(raw["is"]), scope)
            if not names(node) <= found.keys():
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
        return {card: given.get(card[by]) for card in self.deck.cards}

    # -- expressions -----------------------------------------------------------------------------------------------------

    def _parse(self, where: str, text: str) -> Node:
        try:
            return parse(text)
        except ExpressionError as error:
            self.faults.add(where, str(error))
            return Literal(None)

    def read(self, where: str, text: str, scope: Scope, want: str | None = None) -> Node:
        """An expression with definitions and options filled in, checked against the columns known at its place."""
        before = len(self.faults.found)
        node = self._parse(where, text)
        if len(self.faults.found) > before:
            return node
        try:
            node = fold(substitute(expand(node, self.macros), self.constants))
        except (InputError, TypeError, ZeroDivisionError) as error:
            self.faults.add(where, f"{text!r}: {error}")
            return node
        errors: list[str] = []
        fact = study(node, scope, errors)
        if want and not errors and fact.kind not in (want, "unknown"):
            errors.append(f"must be {want} valued (true or false), but it is {fact.kind}")
        for name in sorted(names(node)):
            if want and name in scope and scope[name].nullable and not errors:
                study_null = study(node, {**scope, name: fact_of(None)}, [])
                if study_null.always_null:
                    errors.append(f"is NULL whenever {name} is (a card not drawn); say what then, with {name} IS NULL")
        for error in errors:
            self.faults.add(where, f"{text!r}: {self._not_yet(error)}")
        return node

    def _not_yet(self, error: str) -> str:
        match = re.match(r"unknown column '(\w+)'", error)
        slot = match and next((s for s in self._later if match[1] == s or match[1].startswith(f"{s}_")), None)
        return f"{match[1]} is not known yet: {slot} is dealt in step {self._later[slot]!r}" if match and slot else error

    _later: Mapping[str, str] = {}

    # -- steps and wagers --------------------------------------------------------------------------------------------------

    def _slots(self, raw: Mapping[str, Any]) -> list[str]:
        return str(raw.get("deal", raw.get("draw", ""))).split()

    def _step(self, raw: Mapping[str, Any], index: int) -> Step:
        name = str(raw.get("name", index + 1))
        where = f"step {name!r}"
        slots, lets, node = tuple(self._slots(raw)), [], None
        if not slots and not raw.get("let"):
            self.faults.add(where, "a step deals cards (deal, draw) or works out columns (let.NAME = EXPRESSION)")
        if "when" in raw and slots:
            node = self.read(f"{where}.when", str(raw["when"]), self.facts, "truth")
        for slot in slots:
            self._add_slot(where, slot, nullable=node is not None)
            self._later = {s: n for s, n in self._later.items() if s != slot}
        for column, text in dict(raw.get("let", {})).items():
            let = self.read(f"{where}.let.{column}", str(text), self.facts)
            self._add_column(f"{where}.let.{column}", column, study(let, self.facts, []))
            lets.append((column, let))
        return Step(name, slots, node, str(raw.get("when", "")), tuple(lets), str(raw.get("source", "")))

    def _add_slot(self, where: str, slot: str, nullable: bool) -> None:
        for attribute, values in self.attributes.items():
            column = slot if attribute == "value" else f"{slot}_{attribute}"
            fact = column_fact(values)
            self._add_column(where, column, Fact(fact.kind, fact.low, fact.high, fact.words, nullable))
            self.slot_columns[column] = SlotColumn(slot, attribute)

    def _add_column(self, where: str, column: str, fact: Fact) -> None:
        taken = {"a column": self.facts, "an option": self.chosen, "a table or definition": self.macros}
        for kind, others in taken.items():
            if column in others:
                self.faults.add(where, f"the name {column!r} is already {kind}")
        if not re.fullmatch(r"[A-Za-z]\w*", column):
            self.faults.add(where, f"{column!r} is not a name (letters, digits and _)")
        self.facts[column] = fact

    def _records(self, name: str, raw: Mapping[str, Any]) -> Records:
        header = tuple(str(raw.get("header", "")).split())
        rows = tuple(tuple(str(cell) for cell in row) for row in raw.get("rows", []))
        for number, row in enumerate(rows, 1):
            if len(row) != len(header):
                self.faults.add(f"records.{name}.rows", f"row {number} has {len(row)} cells, the header {len(header)}")
        return Records(name, str(raw.get("title", name)), header, rows, str(raw.get("source", "")))

    def _wagers(self, raw: Mapping[str, Any], index: int, records: Mapping[str, Records]) -> list[Wager]:
        if "each" not in raw:
            return [self.wager(raw, f"wager {raw.get('name', index + 1)!r}")]
        if raw["each"] not in records:
            self.faults.add(f"wager {raw.get('name')!r}.each", f"no such records; {nearest(str(raw['each']), records)}")
            return []
        record = records[raw["each"]]
        made = [dict(zip(record.header, row, strict=False)) for row in record.rows]
        return [self.wager(_filled(raw, row), f"wager {_filled(raw, row)['name']!r}", row) for row in made]

    def wager(self, raw: Mapping[str, Any], where: str, record: Mapping[str, str] | None = None) -> Wager:
        """One wager of a rule file or of a user."""
        if not isinstance(raw.get("name"), str) or not isinstance(raw.get("pays"), list) or not raw["pays"]:
            self.faults.add(where, "a wager has a name and pays = [{ when = CONDITION, odds = FRACTION }, ...]")
            return Wager("", "", ())
        lines = [self.faults.keys("pays", f"{where}.pays[{i}]", line) for i, line in enumerate(raw["pays"], 1)]
        pays = tuple(self._pay_line(f"{where}.pays[{i}]", line) for i, line in enumerate(lines, 1))
        offered = self.read(f"{where}.offered", str(raw["offered"]), self.facts, "truth") if "offered" in raw else None
        return Wager(
            raw["name"], str(raw.get("title", raw["name"])), pays, offered, str(raw.get("offered", "")),
            str(raw.get("source", "")), bool(raw.get("assumed")), bool(raw.get("extra")), record or {},
        )  # fmt: skip

    def _pay_line(self, where: str, line: Mapping[str, Any]) -> PayLine:
        node = self.read(f"{where}.when", str(line.get("when", "")), self.facts, "truth")
        text = str(line.get("odds", ""))
        odds: Value = None
        before = len(self.faults.found)
        parsed = self._parse(f"{where}.odds", text)
        if len(self.faults.found) == before:
            try:
                folded = fold(substitute(expand(parsed, self.macros), self.constants))
                odds = folded.value if isinstance(folded, Literal) else None
            except (ZeroDivisionError, TypeError):
                odds = None
            if isinstance(odds, bool) or not isinstance(odds, int | Fraction) or odds < -1:
                self.faults.add(f"{where}.odds", f"odds must be a fraction of at least -1 such as 19/20, not {text!r}")
        return PayLine(node, str(line.get("when", "")), Fraction(odds) if isinstance(odds, int | Fraction) else Fraction(0))


def _filled(raw: Mapping[str, Any], row: Mapping[str, str]) -> dict[str, Any]:
    """A wager made from one row: {name} in its texts is the cell of that name."""

    def fill(value: Any) -> Any:
        if isinstance(value, str):
            return re.sub(r"\{(\w+)\}", lambda match: row.get(match[1], match[0]), value)
        if isinstance(value, list):
            return [fill(item) for item in value]
        return {key: fill(item) for key, item in value.items()} if isinstance(value, Mapping) else value

    return {key: fill(value) for key, value in raw.items() if key != "each"}


def expand(node: Node, macros: Macros, depth: int = 0) -> Node:
    """The expression with tables and definitions in place of their names."""
    if depth > 20:
        raise InputError("the definitions refer to each other in a circle")
    if isinstance(node, Name) and node.name in macros and not macros[node.name][0]:
        return expand(macros[node.name][1], macros, depth + 1)
    node = rebuild(node, lambda part: expand(part, macros, depth))
    if isinstance(node, Call) and node.function in macros:
        arguments, body = macros[node.function]
        if len(arguments) != len(node.arguments):
            raise InputError(f"{node.function} takes {len(arguments)} arguments, {len(node.arguments)} given")
        return substitute(expand(body, macros, depth + 1), dict(zip(arguments, node.arguments, strict=True)))
    return node


def column_fact(values: Mapping[Card, Value]) -> Fact:
    """What an attribute can be over the cards of a deck."""
    kinds = list(dict.fromkeys(values.values()))
    if all(type(value) is int for value in kinds):
        return integer(min(kinds), max(kinds))  # type: ignore[type-var, arg-type]
    return Fact("text", words=tuple(map(str, kinds))) if all(isinstance(v, str) for v in kinds) else fact_of(kinds[0])


def _plain(value: Value) -> Value:
    """A whole fraction as an integer, so that it can stand in a condition."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
