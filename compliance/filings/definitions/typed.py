"""Values of a definition as people type them, and back."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from games.definition.form import AnyRound
from games.definition.shape import Flag, ListOf, MapOf, Number, Odds

if TYPE_CHECKING:
    from games.definition.shape import Type

WHOLE: Final = re.compile(r"-?[0-9]{1,12}")
RATIO: Final = re.compile(r"(-?[0-9][0-9,]*)\s*(?:/|:|-|to)\s*([0-9]+)", re.IGNORECASE)
EVEN: Final = "even money"


def as_typed(value: Any) -> str:
    """Return a value as it stands in its field."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(as_typed, value))
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, indent=1)
    return str(value)


def as_written(type_: Type, typed: Any) -> Any:
    """Return what was typed as a definition has it; what can't be read stays as it was typed."""
    if isinstance(typed, bool):
        return typed
    text = str(typed or "").strip()
    if not text:
        return None
    if isinstance(type_, Flag):
        return {"true": True, "false": False}.get(text, text)
    if isinstance(type_, ListOf):
        items = [as_written(type_.item, each) for each in text.split(",") if each.strip()]
        return items[0] if type_.single and len(items) == 1 else items
    if isinstance(type_, Odds):
        return odds_written(text)
    if isinstance(type_, Number):
        return int(text) if WHOLE.fullmatch(text) else text
    if isinstance(type_, AnyRound | MapOf):
        return _from_json(text)
    return text


def odds_written(text: str) -> int | str:
    """Return odds to 1: `40 to 1` is 40, `3 to 2` is "3/2"."""
    plain = text.strip().lower().replace(",", "")
    if plain == EVEN:
        return 1
    found = RATIO.fullmatch(plain)
    if found is None:
        return int(plain) if WHOLE.fullmatch(plain) else text
    pays, to = int(found[1]), int(found[2])
    return f"{pays}/{to}" if to == 0 or pays % to else pays // to


def _from_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
