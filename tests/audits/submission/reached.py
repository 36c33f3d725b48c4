"""One log and one submission of a party, for tests that try every address as everyone."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from audits.intake.mapping.writes import save_mapping
from audits.intake.submission import begin_submission
from audits.intake.table_records.comparison import CLOSED, Entry
from audits.intake.table_records.writes import record_tables
from compliance.access.scope import without_access_scope
from tests.audits.mapping.files import mapping
from tests.audits.submission.logs import evening, ingested, written

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.access.models import Party, Person

NO_LOGS: dict[str, Any] = {
    "round_log": uuid4(),
    "line": 1,
    "log_mapping": uuid4(),
    "table_record": uuid4(),
    "submission": uuid4(),
    "piece": 0,
    "round": "T3-999999",
}


def logs_of(party: Party, manager: Person, asked: Collection[str]) -> dict[str, Any]:
    """Create what the requested names need, and no more."""
    made: dict[str, Any] = {"line": 1, "piece": 0}
    if "submission" in asked:
        begun = begin_submission(party=party, name="night.jsonl", size=10, by=manager)
        made["submission"] = begun.uuid
    if "round_log" in asked:
        made["round_log"] = ingested(party, written(evening(2)) + b"{}\n").uuid
    if "log_mapping" in asked:
        made["log_mapping"] = save_mapping(party=party, content=mapping(), by=manager).uuid
    if "table_record" in asked:
        entry = Entry(subject=CLOSED, table="T9", day=date(2025, 3, 7), reason="not staffed")
        stated = record_tables(party=party, entries=[entry], by=manager)
        assert stated is not None
        with without_access_scope():
            made["table_record"] = stated.records.get().uuid
    if "round" in asked:
        ingested(party, written(evening(1)))
        made["round"] = "T3-000001"
    return made
