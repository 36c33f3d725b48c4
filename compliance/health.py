"""The register of the system's conditions: each app reports on its own work.

The status page, readiness, the metrics and the daily alarm all read it; nothing else decides
whether the system works. If a condition cannot be checked, it is failing, never OK.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

log = structlog.get_logger(__name__)


class State(StrEnum):
    """The state of a condition, worst first."""

    FAILING = "failing"
    UNKNOWN = "unknown"
    WARNING = "warning"
    OK = "ok"


WORST_FIRST = list(State)


@dataclass(frozen=True, kw_only=True)
class Condition:
    """The state of one thing in sentences: what is wrong, and what to do about it.

    `count` is how many things are wrong, in total; 0 means that we checked. `since` is when the
    oldest of them began. `page` names the page that lists them.
    """

    state: State
    says: str
    do: str = ""
    since: datetime | None = None
    count: int | None = None
    page: str = ""
    name: str = ""
    title: str = ""
    """The name and title under which it is registered."""

    @property
    def is_ok(self) -> bool:
        """Return whether there is nothing to do."""
        return self.state == State.OK


@dataclass(frozen=True, kw_only=True)
class _Registered:
    name: str
    title: str
    look: Callable[[], Condition]
    needed: bool
    asks_database: bool


_registered: dict[str, _Registered] = {}

WITHOUT_DATABASE = {
    "database": Condition(
        state=State.UNKNOWN, says="Unknown, because the database does not answer."
    ),
    "migrations": Condition(
        state=State.UNKNOWN, says="Unknown until the tables match this version."
    ),
}
"""The state of conditions that need the database while one of these two fails."""


def register(
    name: str,
    title: str,
    look: Callable[[], Condition],
    *,
    needed: bool = False,
    asks_database: bool = True,
) -> None:
    """Register a condition; an app does this in its `hooks`.

    `needed`: while it fails, no request can be answered and no work done.
    """
    _registered[name] = _Registered(
        name=name, title=title, look=look, needed=needed, asks_database=asks_database
    )


def all_conditions(*, needed_only: bool = False) -> list[Condition]:
    """Check every condition, or only those that readiness needs; worst first.

    Needed conditions are checked first. Once the database does not answer, it is not asked again:
    each attempt may take seconds.
    """
    found = []
    without_database = None
    for each in sorted(_registered.values(), key=lambda each: not each.needed):
        if needed_only and not each.needed:
            continue
        if without_database and each.asks_database:
            condition = without_database
        else:
            condition = _look(each)
            if condition.state == State.FAILING:
                without_database = without_database or WITHOUT_DATABASE.get(each.name)
        found.append(replace(condition, name=each.name, title=each.title))
    return sorted(found, key=lambda each: WORST_FIRST.index(each.state))


def is_ready(conditions: list[Condition]) -> bool:
    """Return whether none of these fails; warnings and unknown states stop no request."""
    return all(each.state != State.FAILING for each in conditions)


def _look(each: _Registered) -> Condition:
    try:
        return each.look()
    except Exception as error:  # the page must show the other conditions in any case
        log.exception("a condition could not be checked", condition=each.name)
        first, *_ = str(error).splitlines() or [""]
        return Condition(
            state=State.FAILING,
            says=f"This could not be checked: {type(error).__name__}: {first}",
            do="Look for the cause in the web's log.",
        )
