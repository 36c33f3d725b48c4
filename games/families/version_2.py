"""Fields of any line of version 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from games.log.field_types import Cents, Code, FieldType, FormError, Id, WholeNumber, shown, text
from games.log.schema import AMOUNT, LARGEST_AMOUNT, Field

if TYPE_CHECKING:
    from collections.abc import Mapping

LATEST: Final = 2


@dataclass(frozen=True)
class ShortText(FieldType):
    """A text of limited length."""

    most: int
    code = Code.TEXT

    def check(self, value: Any) -> str:
        """Accept a string that is neither empty nor too long."""
        found = text(value)
        if not 1 <= len(found) <= self.most:
            reason = f"expected a text of 1 to {self.most} characters; this one has {len(found)}"
            raise FormError(None, reason)
        return found


@dataclass(frozen=True)
class TextList(FieldType):
    """A list of short texts."""

    most: int
    code = Code.NOTHING

    def check(self, value: Any) -> tuple[str, ...]:
        """Accept a list of strings that are neither empty nor too long."""
        if not isinstance(value, list):
            raise FormError(None, f"expected a list of texts; this line has {shown(value)}")
        return tuple(ShortText(self.most).check(item) for item in value)


@dataclass(frozen=True)
class Meters(FieldType):
    """Amounts by id."""

    code = Code.NOTHING

    def check(self, value: Any) -> Mapping[str, int]:
        """Accept an object of amounts whose keys are ids."""
        if not isinstance(value, dict):
            raise FormError(None, f"expected an object {{id: cents}}; this line has {shown(value)}")
        for key, item in value.items():
            Id(64).check(key)
            Cents("an amount", 0, LARGEST_AMOUNT).check(item)
        return dict(value)


VERSION: Final = Field(
    "v",
    WholeNumber("the version of this format", 1, LATEST),
    "version of this format",
    is_stored=False,
)


def _option(key: str, type_: FieldType, says: str) -> Field:
    return Field(key, type_, says, "unknown", optional=True)


SINCE_VERSION_2: Final = (
    _option("dealer_id", Id(64), "your pseudonym for the dealer, never a name"),
    _option("supervisor_id", Id(64), "your pseudonym for the supervisor, never a name"),
    _option("shift", ShortText(32), "your name for the shift"),
    _option("shoe", Id(64), "one loading of cards; the rounds of a shoe share its id, in order"),
    _option("video", ShortText(256), "where the recording of the round is"),
    _option("irregularities", TextList(64), "what happened, whether or not the round is void"),
    _option("meters", Meters(), "progressive and jackpot amounts before the round, by id"),
)
SEAT_SINCE_VERSION_2: Final = (_option("tokes", AMOUNT, "what the player gave the dealer"),)
