"""One log and one hand-in of a party, for tests that try every address as everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from audits.services.hand_in import begin_hand_in
from tests.audits.hand_in.logs import evening, taken, written

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.models import Party, Person

NO_LOGS: dict[str, Any] = {
    "round_log": uuid4(),
    "line": 1,
    "hand_in": uuid4(),
    "piece": 0,
    "round": "T3-999999",
}


def logs_of(party: Party, manager: Person, asked: Collection[str]) -> dict[str, Any]:
    """What the names asked for need, and no more."""
    made: dict[str, Any] = {"line": 1, "piece": 0}
    if "hand_in" in asked:
        begun = begin_hand_in(party=party, name="night.jsonl", size=10, by=manager)
        made["hand_in"] = begun.uuid
    if "round_log" in asked:
        made["round_log"] = taken(party, written(evening(2)) + b"{}\n").uuid
    if "round" in asked:
        taken(party, written(evening(1)))
        made["round"] = "T3-000001"
    return made
