"""The types of values that only lines of this family have: actions, pots and fees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from games.families.versus.round import ACTS, WITHOUT_MONEY, Action, Fees, LoggedPot
from games.log.field_types import Choice, DealtCards, FieldType, FormError, OwnType, clip, shown
from games.log.schema import AMOUNT, SEAT_NUMBER
from games.strict_json import Duplicates

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.cards import Cards

Json = dict[str, Any]

MOST_ACTIONS: Final = 10_000
MOST_POTS: Final = 100


def _object(value: Any, keys: Iterable[str], path: str, optional: tuple[str, ...] = ()) -> Json:
    """Check an object with exactly these keys, and the operator's own (`x_`)."""
    if not isinstance(value, dict):
        raise FormError(path, f"expected an object {{...}}, not {shown(value)}")
    if isinstance(value, Duplicates):
        name = clip(value.repeated)
        raise FormError(path, f"the key `{name}` appears twice in one object: remove one of them")
    known = tuple(keys)
    for key in value:
        if key not in known and not key.startswith("x_"):
            listed = ", ".join(f"`{each}`" for each in known)
            msg = f"{path}.{clip(key)}"
            raise FormError(msg, f"`{clip(key)}` is none of {listed}")
    for key in known:
        if key not in value and key not in optional:
            msg = f"{path}.{key}"
            raise FormError(msg, f"`{key}` is missing")
    return value


def _items(value: Any, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise FormError(None, f"expected a list [...], not {shown(value)}")
    if len(value) > most:
        raise FormError(None, f"expected at most {most:,} items; this list has {len(value):,}")
    return value


def _part(type_: FieldType, value: Any, path: str) -> Any:
    try:
        return type_.check(value)
    except FormError as error:
        raise FormError(path + (error.field or ""), error.reason) from None


class CardsOrNull(DealtCards, OwnType):
    """Cards as dealt, or null for cards that were never shown."""

    def check(self, value: Any) -> Cards:
        """Accept null, or any number of cards."""
        return b"" if value is None else super().check(value)

    def write(self, value: Cards) -> Any:
        """Spell the cards, if there are any."""
        return super().write(value) if value else None

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        return {"type": ["string", "null"]}


@dataclass(frozen=True)
class Actions(OwnType):
    """What the players did, in order."""

    streets: tuple[str, ...]

    def check(self, value: Any) -> tuple[Action, ...]:
        """Accept a list of actions on the game's streets."""
        return tuple(
            self._action(item, f"[{place}]")
            for place, item in enumerate(_items(value, MOST_ACTIONS))
        )

    def _action(self, value: Any, path: str) -> Action:
        given = _object(value, ("seat", "street", "act", "to"), path, ("to",))
        act = _part(Choice(ACTS), given["act"], f"{path}.act")
        if "to" not in given and act not in WITHOUT_MONEY:
            msg = f"{path}.to"
            raise FormError(msg, f"`to` is missing: the player's total after the {act}")
        return Action(
            _part(SEAT_NUMBER, given["seat"], f"{path}.seat"),
            _part(Choice(self.streets), given["street"], f"{path}.street"),
            act,
            _part(AMOUNT, given.get("to", 0), f"{path}.to"),
        )

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        return {
            "type": "array",
            "maxItems": MOST_ACTIONS,
            "items": {
                "type": "object",
                "required": ["seat", "street", "act"],
                "properties": {
                    "seat": {"type": "integer", "minimum": 1},
                    "street": {"enum": list(self.streets)},
                    "act": {"enum": list(ACTS)},
                    "to": {"type": "integer", "minimum": 0, "maximum": AMOUNT.most},
                },
                "patternProperties": {"^x_": True},
                "additionalProperties": False,
                "if": {"properties": {"act": {"enum": sorted(WITHOUT_MONEY)}}},
                "else": {"required": ["to"]},
            },
        }


@dataclass(frozen=True)
class Pots(OwnType):
    """The pots, the main pot first."""

    def check(self, value: Any) -> tuple[LoggedPot, ...]:
        """Accept a list of pots."""
        items = _items(value, MOST_POTS)
        return tuple(self._pot(item, f"[{place}]") for place, item in enumerate(items))

    def _pot(self, value: Any, path: str) -> LoggedPot:
        given = _object(value, ("amount", "seats", "won"), path)
        seats = given["seats"]
        if not isinstance(seats, list):
            msg = f"{path}.seats"
            raise FormError(msg, f"expected a list [...], not {shown(seats)}")
        won = given["won"]
        if not isinstance(won, dict) or isinstance(won, Duplicates):
            msg = f"{path}.won"
            raise FormError(msg, "expected an object {seat: cents}, each seat once")
        return LoggedPot(
            _part(AMOUNT, given["amount"], f"{path}.amount"),
            tuple(
                _part(SEAT_NUMBER, seat, f"{path}.seats[{place}]")
                for place, seat in enumerate(seats)
            ),
            {
                self._seat(key, path): _part(AMOUNT, cents, f"{path}.won.{clip(key)}")
                for key, cents in won.items()
            },
        )

    def _seat(self, key: str, path: str) -> int:
        is_number = key.isascii() and key.isdigit() and len(key) < 19 and key[0] != "0"
        if not is_number:
            msg = f"{path}.won.{clip(key)}"
            raise FormError(msg, f'"{clip(key)}" is not the number of a seat')
        return int(key)

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        amount = {"type": "integer", "minimum": 0, "maximum": AMOUNT.most}
        return {
            "type": "array",
            "maxItems": MOST_POTS,
            "items": {
                "type": "object",
                "required": ["amount", "seats", "won"],
                "properties": {
                    "amount": amount,
                    "seats": {"type": "array", "items": {"type": "integer", "minimum": 1}},
                    "won": {
                        "type": "object",
                        "propertyNames": {"pattern": "^[1-9][0-9]{0,17}$"},
                        "additionalProperties": amount,
                    },
                },
                "patternProperties": {"^x_": True},
                "additionalProperties": False,
            },
        }


@dataclass(frozen=True)
class FeeAmounts(OwnType):
    """What the house took from the pots."""

    def check(self, value: Any) -> Fees:
        """Accept the two fees."""
        given = _object(value, ("rake", "jackpot"), "")
        return Fees(*(_part(AMOUNT, given[key], f".{key}") for key in ("rake", "jackpot")))

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        amount = {"type": "integer", "minimum": 0, "maximum": AMOUNT.most}
        return {
            "type": "object",
            "required": ["rake", "jackpot"],
            "properties": {"rake": amount, "jackpot": amount},
            "patternProperties": {"^x_": True},
            "additionalProperties": False,
        }
