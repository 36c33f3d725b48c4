"""Fields of a round from the cells of its rows, as a mapping says."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from audits.intake.mapping.cards import read_cards
from audits.intake.mapping.errors import RowError
from audits.intake.mapping.fields import LATER_FIELDS, field_of
from audits.intake.mapping.values import (
    Clock,
    read_actions,
    read_cents,
    read_day,
    read_id,
    read_number,
    read_texts,
    read_truth,
    read_word,
)
from games.log.field_types import Cents, Code

if TYPE_CHECKING:
    from collections.abc import Callable

    from audits.intake.mapping.definition import Definition, From
    from audits.intake.mapping.tables import Row
    from games.log.schema import Field


HANDS: Final = "seat.hands."
NAMED_BY_DEFINITION: Final = ("seat.choices.", "seat.carried.")


def _as_is(text: str) -> str:
    return text


def _lower(text: str) -> str:
    return text.strip().lower()


_READERS: Final[dict[Code, Callable[[str], Any]]] = {
    Code.INTEGER: read_number,
    Code.TRUTH: read_truth,
    Code.IDENTIFIER: read_id,
    Code.CHOICE: _lower,
    Code.GAME: _lower,
    Code.NOTHING: read_texts,
}


def _word_reader(field: Field) -> Callable[[str], Any]:
    if field.key == f"{HANDS}actions":
        return read_actions
    if field.key.startswith(NAMED_BY_DEFINITION) and field.type.code is Code.CHOICE:
        return read_word
    return _READERS.get(field.type.code, _as_is)


class Filler:
    """Fills fields of rounds from rows, as a mapping says."""

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        zone, backwards = ZoneInfo(definition.zone), definition.newest_first
        self._clocks = {
            name: Clock(zone, definition.time_format, newest_first=backwards)
            for name in ("at", "from", "to", "day")
        }

    def _put(
        self,
        made: dict[str, Any],
        name: str,
        source: From,
        rows: list[Row],
        table: str,
        *,
        field: Field | None = None,
    ) -> None:
        """Fill one field from rows that must agree; a blank leaves it out."""
        texts = list(dict.fromkeys(filter(None, (self._text(source, row) for row in rows))))
        if len(texts) > 1:
            msg = f'the rows of this round differ: "{texts[0][:40]}" and "{texts[1][:40]}"'
            raise RowError(msg, name)
        if not texts:
            return
        known = field or field_of(name)
        assert known is not None  # noqa: S101 - the mapping was checked
        try:
            value = self._value(known, name, texts[0], table)
        except ValueError as wrong:
            raise RowError(str(wrong), name) from None
        *path, last = name.split(".")
        for key in path:
            made = made.setdefault(key, {})
        made[last] = value
        if name in LATER_FIELDS and made.get("v") == 1:
            made["v"] = 2

    def _text(self, source: From, row: Row) -> str:
        if source.value is not None:
            return source.value
        text = " ".join(row.cells.get(name, "").strip() for name in source.columns).strip()
        return source.values.get(text, text)

    def _money(self, name: str, text: str) -> int:
        dollars, decimal = self._definition.money == "dollars", self._definition.decimal
        try:
            return read_cents(text, dollars=dollars, decimal=decimal)
        except ValueError as wrong:
            raise RowError(str(wrong), name) from None

    def _value(self, field: Field, name: str, text: str, table: str) -> Any:
        index = self._definition.card_index
        code = field.type.code
        if code is Code.CARDS:
            return read_cards(text, index)
        if code is Code.HANDS:
            return [read_cards(each, index) for each in text.replace("|", "/").split("/")]
        if name == "day":
            return self._gambling_day(text)
        if code is Code.TIME:
            return self._clocks[name].read(text, table)
        if isinstance(field.type, Cents):
            return self._money(name, text)
        if name == "table":
            text = self._definition.tables.get(text, text)
        return _word_reader(field)(text)

    def _gambling_day(self, text: str) -> list[str]:
        """Return when a gambling day begins and ends."""
        day = read_day(text, self._definition.time_format)
        clock = self._clocks["day"]
        ends = (day, day + timedelta(days=1))
        return [clock.read(f"{each}T{self._definition.day_begins}", "") for each in ends]
