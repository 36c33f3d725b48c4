"""A form for one part of a definition, made from the part's form in `games.definition`.

The fields are named by their place, such as `part.outcomes.0.when.folded`. What is typed is kept as
it is: `read_definition` says what is wrong with it, in the same sentences everywhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django import forms

from compliance.filings.definitions.typed import as_typed, as_written
from compliance.ui.forms import LongField, NameField
from games.definition.form import AnyRound
from games.definition.shape import (
    Flag,
    ListOf,
    MapOf,
    Number,
    Odds,
    OneOf,
    Table,
    Text,
)
from games.explanation.words import name_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.forms import BoundField

    from games.definition.shape import Key, Type

ROOT: Final = "part"
LONG: Final = 200
"""A text that may be longer than this has several lines."""
MOST_ROWS: Final = 500
SPARE: Final = 1
OFTEN: Final = ("when", "clause", "choice", "folded", "fouled", "compare", "test", "reading")
"""Optional keys that most rows have; the others are folded away where they are empty."""
KEEP, UP, DOWN, REMOVE = "", "up", "down", "remove"
MOVES: Final = {KEEP: "Keep here", UP: "Move up", DOWN: "Move down", REMOVE: "Remove"}
RESULTS_OF_COMPARISON: Final = ("win", "tie", "lose")

Known = dict[str, dict[str, tuple[str, ...]]]
"""What a definition names, by the key of a condition: decisions with choices, tests, readings."""


@dataclass
class Node:
    """A field, or a group of nodes: what the template renders."""

    label: str
    says: str = ""
    entry: BoundField | None = None
    children: list[Node] = field(default_factory=list)
    folded: bool = False
    """Whether the group is optional and empty, so that it is only opened on demand."""


class PartForm(forms.Form):
    """The fields of one value of a definition; `value` is what they say."""

    def __init__(self, type_: Type, known: Known, value: Any = None, data: Any = None) -> None:
        super().__init__(data)
        self._type, self._known = type_, known
        self.nodes = self._group(type_, value, ROOT)

    @property
    def value(self) -> Any:
        """Return what was typed, as a definition has it; None if nothing was."""
        return self._read(self._type, ROOT)

    def _group(self, type_: Type, value: Any, path: str) -> list[Node]:
        """Return the nodes of a value that has parts."""
        if isinstance(type_, Table):
            if type_.short and value is not None and not isinstance(value, dict):
                value = {type_.short: value}
            named = value if isinstance(value, dict) else {}
            nodes: list[Node] = []
            rare: list[Node] = []
            for key, each in type_.keys.items():
                node = self._node(each, named.get(key), f"{path}.{key}", key, type_.name)
                is_rare = path != ROOT and each.optional and key not in OFTEN
                (rare if is_rare and named.get(key) is None else nodes).append(node)
            if rare and self.is_bound:
                return [*nodes, *rare]
            return [*nodes, Node("More", children=rare, folded=True)] if rare else nodes
        if isinstance(type_, MapOf):
            entries = list(value.items()) if isinstance(value, dict) else []
            return self._rows(type_, entries, path)
        assert isinstance(type_, ListOf)  # noqa: S101
        items = value if isinstance(value, list) else [] if value is None else [value]
        return self._rows(type_, [(None, each) for each in items], path)

    def _node(self, key: Key, value: Any, path: str, name: str, of: str) -> Node:
        label, says = name_in_words(name).capitalize(), key.says
        if isinstance(key.type, MapOf) and of.startswith("when"):
            return Node(label, says, children=self._conditions(key.type, name, value, path))
        if has_parts(key.type):
            children = self._group(key.type, value, path)
            folded = key.optional and not value and not self.is_bound
            return Node(label, says, children=children, folded=folded)
        is_switch = isinstance(key.type, Flag) and key.default is False
        self.fields[path] = _field(
            key.type, value, label, says, required=not key.optional, is_switch=is_switch
        )
        return Node(label, entry=self[path])

    def _conditions(self, type_: MapOf, name: str, value: Any, path: str) -> list[Node]:
        """Return a choice for each thing that the definition names, and for others in the value."""
        written = value if isinstance(value, dict) else {}
        named = {**dict.fromkeys(written, ()), **self._known.get(name, {})}
        nodes = []
        for id_, words in named.items():
            place = f"{path}.{id_}"
            options = [("", "Any"), *((word, name_in_words(word)) for word in words)]
            now = as_typed(written[id_]) if id_ in written else ""
            if now not in dict(options):
                options.append((now, now))
            self.fields[place] = forms.ChoiceField(
                label=f"{name_in_words(name).capitalize()}: {name_in_words(id_)}",
                choices=options,
                required=False,
                initial=now,
            )
            nodes.append(Node(name_in_words(id_), entry=self[place]))
        return nodes

    def _rows(self, type_: MapOf | ListOf, entries: list[Any], path: str) -> list[Node]:
        """Return a group for each row, and for a spare one."""
        count = f"{path}.rows"
        self.fields[count] = forms.IntegerField(
            widget=forms.HiddenInput, required=False, initial=len(entries) + SPARE
        )
        rows = self._row_count(path) if self.is_bound else len(entries) + SPARE
        nodes = []
        for row in range(rows):
            key, value = entries[row] if row < len(entries) else (None, None)
            nodes.append(self._row(type_, key, value, f"{path}.{row}", row, len(entries)))
        return nodes

    def _row(
        self, type_: MapOf | ListOf, key: Any, value: Any, path: str, row: int, filled: int
    ) -> Node:
        children = []
        if isinstance(type_, MapOf):
            self.fields[f"{path}.key"] = _field(type_.key, key, "Name", "", required=False)
            children.append(Node("Name", entry=self[f"{path}.key"]))
        if has_parts(type_.item):
            children += self._group(type_.item, value, f"{path}.value")
        else:
            name = f"{path}.value"
            self.fields[name] = _field(type_.item, value, "Value", "", required=False)
            children.append(Node("Value", entry=self[name]))
        move = f"{path}.move"
        self.fields[move] = forms.ChoiceField(
            label="Place", choices=list(MOVES.items()), required=False
        )
        if row < filled or self.is_bound:
            children.append(Node("Place", entry=self[move]))
        is_spare = row >= filled and not self.is_bound
        label = "Add one" if is_spare else str(key or row + 1)
        return Node(label, children=children, folded=is_spare)

    def _row_count(self, path: str) -> int:
        typed = str(self.data.get(f"{path}.rows", ""))
        return min(int(typed), MOST_ROWS) if re.fullmatch("[0-9]{1,4}", typed) else SPARE

    def _read(self, type_: Type, path: str) -> Any:
        """Return the value at a place; None if nothing was typed there."""
        if isinstance(type_, Table):
            read = {
                key: value
                for key, each in type_.keys.items()
                if (value := self._read_key(each, key, f"{path}.{key}", type_.name)) is not None
            }
            if type_.short and set(read) == {type_.short}:
                return read[type_.short]
            return read or None
        if not has_parts(type_):
            return as_written(type_, self.cleaned_data.get(path))
        assert isinstance(type_, MapOf | ListOf)  # noqa: S101
        rows = []
        for row in range(self._row_count(path)):
            place = f"{path}.{row}"
            value = self._read(type_.item, f"{place}.value")
            key = str(self.cleaned_data.get(f"{place}.key") or "").strip()
            if value is not None or (key and isinstance(type_, MapOf)):
                rows.append((self.cleaned_data.get(f"{place}.move", KEEP), key, value))
        kept = moved(rows)
        if isinstance(type_, MapOf):
            return {key: value if value is not None else "" for _, key, value in kept} or None
        values = [value for _, _, value in kept]
        return (values[0] if type_.single and len(values) == 1 else values) or None

    def _read_key(self, key: Key, name: str, path: str, of: str) -> Any:
        if isinstance(key.type, MapOf) and of.startswith("when"):
            start = f"{path}."
            written = {
                place.removeprefix(start): as_written(key.type.item, self.cleaned_data[place])
                for place in self.fields
                if place.startswith(start) and self.cleaned_data.get(place)
            }
            return written or None
        value = self._read(key.type, path)
        if isinstance(key.type, Flag) and key.default is False:
            return value or None
        return value


def has_parts(type_: Type) -> bool:
    """Return whether a value of a type has fields of its own, beyond a list of words."""
    if isinstance(type_, ListOf):
        return isinstance(type_.item, Table)
    return isinstance(type_, Table | MapOf)


def moved(rows: list[tuple[str, str, Any]]) -> list[tuple[str, str, Any]]:
    """Return rows in their new order, without those that are removed."""
    kept: list[tuple[str, str, Any]] = []
    down: list[tuple[str, str, Any]] = []
    for row in rows:
        if row[0] == REMOVE:
            continue
        kept.insert(max(0, len(kept) - 1), row) if row[0] == UP else kept.append(row)
        if row[0] != DOWN:
            continue
        down.append(row)
    for row in down:
        place = kept.index(row)
        kept[place : place + 2] = reversed(kept[place : place + 2])
    return kept


def _field(
    type_: Type, value: Any, label: str, says: str, *, required: bool, is_switch: bool = False
) -> forms.Field:
    """Return the field of a value without parts; what is missing is written by the check."""
    shared: dict[str, Any] = {
        "label": label,
        "help_text": f"{says[:1].upper()}{says[1:]}".replace("`", ""),
        "required": False,
        "initial": as_typed(value),
    }
    if isinstance(type_, OneOf):
        options = [(word, name_in_words(word)) for word in type_.words]
        if not required:
            options.insert(0, ("", "Not stated"))
        return forms.ChoiceField(choices=options, **shared)
    if isinstance(type_, Flag):
        if is_switch:
            return forms.BooleanField(**shared | {"initial": value is True})
        return forms.ChoiceField(
            choices=[("", "Not stated"), ("true", "Yes"), ("false", "No")], **shared
        )
    if isinstance(type_, AnyRound):
        return LongField(rows=8, **shared)
    if isinstance(type_, Text) and type_.most > LONG:
        return LongField(rows=2, max_length=type_.most, **shared)
    widget = forms.TextInput({"autocomplete": "off"})
    if isinstance(type_, Number):
        widget.attrs["inputmode"] = "numeric"
    if isinstance(type_, Odds):
        shared["help_text"] += " (such as 3, 3/2 or 3 to 2)"
    return NameField(max_length=2_000, widget=widget, **shared)


def known_names(data: Mapping[str, Any]) -> Known:
    """Return what a definition's data names, for its conditions."""
    decisions = data.get("decision")
    choices: dict[str, tuple[str, ...]] = {}
    for each in decisions if isinstance(decisions, list) else ():
        options = each.get("choices")
        ids = [str(option.get("id")) for option in options or () if isinstance(option, dict)]
        choices[str(each.get("id"))] = tuple(ids)
    win, tie, lose = RESULTS_OF_COMPARISON
    results = (win, tie, lose, f"{win}, {tie}", f"{tie}, {lose}", f"{win}, {lose}")
    readings = {
        str(id_): tuple((each.get("readings") or {}) if isinstance(each, dict) else ())
        for id_, each in _table(data, "interpretation").items()
    }
    return {
        "choice": choices,
        "compare": dict.fromkeys(_table(data, "compare"), results),
        "test": dict.fromkeys(_table(data, "test"), ("true", "false")),
        "reading": readings,
    }


def _table(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}
