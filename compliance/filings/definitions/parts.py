"""The parts of a definition as its author sees them: one item for each clause, wager, table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from compliance.errors import RefusedError
from games.definition.families import FAMILIES, STUD, definition_form
from games.definition.named_form import NAMED_DEFINITION
from games.definition.named_games import NAMED_GAMES
from games.definition.shape import ListOf, MapOf, Table
from games.explanation.words import name_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.definition import Problem
    from games.definition.shape import Key, Type

NAMES_OF_ITEMS: Final = ("says", "asks", "title", "reason", "name")
"""Keys whose text says what an item is about, the first that it has."""


@dataclass(frozen=True)
class Part:
    """One key of a definition: a single table, or items in order."""

    key: str
    form: Key
    items: tuple[Item, ...]
    is_single: bool

    @property
    def name(self) -> str:
        """Return the part's heading."""
        return name_in_words(self.key).capitalize()

    @property
    def names(self) -> int:
        """Return how many names an item has: 2 for a pay table, its wager's and its own."""
        if not isinstance(self.form.type, MapOf):
            return 0
        return 2 if isinstance(self.form.type.item, MapOf) else 1

    @property
    def type(self) -> Type:
        """Return the form of an item."""
        of: Any = self.form.type
        for _ in range(self.names):
            of = of.item
        if self.names or self.is_single:
            return of  # type: ignore[no-any-return]
        return of.item  # type: ignore[no-any-return]

    @property
    def new(self) -> int | None:
        """Return the place of an item to add; None if there is exactly one."""
        return None if self.is_single else len(self.items)


@dataclass(frozen=True)
class Item:
    """One item of a part, with the place that problems name."""

    place: int
    names: tuple[str, ...]
    value: Any
    where: str

    @property
    def title(self) -> str:
        """Return what the item is, in a line."""
        value = self.value if isinstance(self.value, dict) else {}
        names = [name_in_words(each) for each in self.names]
        if not names and isinstance(value.get("id"), str):
            names = [value["id"]]
        says = next((str(value[key]) for key in NAMES_OF_ITEMS if value.get(key)), "")
        return ": ".join(each for each in (", ".join(names), says) if each) or "Set"


def parts_of(data: Mapping[str, Any]) -> list[Part]:
    """Return the parts of a definition of this family, with what is written of each."""
    return [_part(key, form, data.get(key)) for key, form in _form(data).keys.items()]


def part_of(data: Mapping[str, Any], key: str) -> Part:
    """Return one part. Rejects a part that a definition of this family does not have."""
    for part in parts_of(data):
        if part.key == key:
            return part
    msg = f"A definition of this family has no part “{key}”. Choose one from the definition."
    raise RefusedError(msg)


def find_item(part: Part, place: int) -> Item | None:
    """Return an item by its place; None for a new one. Rejects a place beyond that."""
    if place < len(part.items):
        return part.items[place]
    if part.is_single or place > len(part.items):
        if part.is_single and place == 0:
            return None
        msg = "This item is no longer in the definition. Go back to it and choose another."
        raise RefusedError(msg)
    return None


def with_item(
    data: Mapping[str, Any],
    part: Part,
    place: int,
    names: tuple[str, ...],
    value: Any,
    position: int,
) -> dict[str, Any]:
    """Return the data with an item written at a position; None as its value removes it."""
    if part.is_single:
        return _with(data, part.key, value)
    items = [(each.names, each.value) for each in part.items]
    if place < len(items):
        del items[place]
    if value is not None:
        if names and names in {each for each, _ in items}:
            msg = f"There is already one named {' '.join(names)}. Choose another name."
            raise RefusedError(msg)
        items.insert(max(0, min(position, len(items))), (names, value))
    if not part.names:
        return _with(data, part.key, [each for _, each in items])
    table: dict[str, Any] = {}
    for (*groups, name), each in items:
        inner = table
        for group in groups:
            inner = inner.setdefault(group, {})
        inner[name] = each
    return _with(data, part.key, table)


def problems_of(problems: list[Problem], where: str) -> list[Problem]:
    """Return the problems at a place and inside it."""
    return [each for each in problems if is_inside(each.where, where)]


def is_inside(place: str, where: str) -> bool:
    """Return whether a place is another one, or inside it."""
    return place == where or place.startswith((f"{where}.", f"{where}["))


def _form(data: Mapping[str, Any]) -> Table:
    """Return the form of a definition's family, or of a game that is settled by its name."""
    game = data.get("game")
    named = game if isinstance(game, dict) else {}
    family = named.get("family", STUD)
    if named.get("slug") in NAMED_GAMES:
        return NAMED_DEFINITION
    if family not in FAMILIES:
        msg = f"No family of play is named “{family}”. Choose one of {', '.join(FAMILIES)}."
        raise RefusedError(msg)
    return definition_form(family).table


def _part(key: str, form: Key, value: Any) -> Part:
    single = not isinstance(form.type, MapOf | ListOf)
    return Part(key, form, tuple(_items(key, form, value)), single)


def _items(key: str, form: Key, value: Any) -> list[Item]:
    type_ = form.type
    if isinstance(type_, MapOf):
        table = value if isinstance(value, dict) else {}
        pairs: list[tuple[tuple[str, ...], Any]] = [((name,), each) for name, each in table.items()]
        if isinstance(type_.item, MapOf):
            pairs = [
                ((*names, name), each)
                for names, of in pairs
                for name, each in (of if isinstance(of, dict) else {}).items()
            ]
        return [
            Item(place, names, each, ".".join((key, *names)))
            for place, (names, each) in enumerate(pairs)
        ]
    if isinstance(type_, ListOf):
        listed = value if isinstance(value, list) else []
        return [Item(place, (), each, f"{key}[{place}]") for place, each in enumerate(listed)]
    return [] if value is None else [Item(0, (), value, key)]


def _with(data: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """Return the data with one part written; an empty one is left out."""
    changed = {**data, key: value}
    if value in (None, {}, []):
        del changed[key]
    return changed
