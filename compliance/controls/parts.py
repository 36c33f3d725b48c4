"""The parts in which controls are written and saved: each section, and of the games each one."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from compliance.controls.content import TEXTS, Problem, read_content
from compliance.proof.canonical import digest
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

GAME: Final = "games."
SECTIONS: Final = (*TEXTS, "hours", "cut_off", "hand_in_hours", "void_reasons")
"""The sections that are one part each; the section `games` has a part for each game."""


def is_part(part: str) -> bool:
    """Whether controls have such a part: a section, or one of the games on file."""
    return part in SECTIONS or (part.startswith(GAME) and part.removeprefix(GAME) in SLUGS)


def section_of(part: str) -> str:
    """The section that a part belongs to, as comments name it."""
    return "games" if part.startswith(GAME) else part


def part_in(content: Mapping[str, Any], part: str) -> Any:
    """What controls say in one part; None where they say nothing."""
    return _holder(content, part).get(_key(part))


def with_part(content: Mapping[str, Any], part: str, value: Any) -> dict[str, Any]:
    """The controls with one part as given; None takes it out."""
    changed = deepcopy(dict(content))
    if part in TEXTS:
        changed.setdefault("texts", {})
    elif part.startswith(GAME):
        changed.setdefault("games", {})
    holder = _holder(changed, part)
    if value is None:
        holder.pop(_key(part), None)
    else:
        holder[_key(part)] = value
    return changed


def digest_of_part(content: Mapping[str, Any], part: str) -> str:
    """What tells one state of a part from another."""
    return digest({"part": part_in(content, part)})


def unreadable_in(part: str, value: Any) -> list[Problem]:
    """What of a part cannot be read, whatever the law says of it; nothing of one taken out."""
    if value is None:
        return []
    _, problems = read_content(with_part({}, part, value))
    empty = _empty_in(value, part) if part.startswith(GAME) else ()
    return problems + [Problem(place, "Leave out what is not said.") for place in empty]


def _empty_in(value: Any, place: str) -> Iterator[str]:
    if value is None:
        yield place
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _empty_in(each, f"{place}.{key}")


def problems_of_part(part: str, problems: Iterable[Problem]) -> list[Problem]:
    """The problems whose place lies within a part."""
    place = f"texts.{part}" if part in TEXTS else part
    return [each for each in problems if f"{each.place}.".startswith(f"{place}.")]


def _holder(content: Mapping[str, Any], part: str) -> Any:
    if part in TEXTS:
        return content.get("texts", {})
    return content.get("games", {}) if part.startswith(GAME) else content


def _key(part: str) -> str:
    return part.removeprefix(GAME)
