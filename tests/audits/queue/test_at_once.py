"""Two people at the same instant on the same page: one decides, the other gets a conflict."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from audits.review.issues.decisions import StepRequest, take_step
from audits.review.issues.models import Decision
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.models import Event
from tests.audits.queue.issues import issue_of, unit_of_agent, work_on
from tests.compliance.people import made_person, party_for, person_as


def test_concurrent_decision_gets_conflict_once(
    own_database,
):
    agent = person_as(Role.AGENT)
    unit = unit_of_agent(agent)
    colleague = made_person("colleague", unit, Role.AGENT)
    room = party_for(Role.OPERATOR_MANAGER, "room")

    def answers(table, people):
        issue = issue_of(room, seen_by=unit, table=table)
        shown = work_on(issue=issue, unit=unit).edition
        together = Barrier(len(people))

        def decide(by):
            together.wait()
            try:
                said = StepRequest(step="dismiss", reason="Misread")
                take_step(issue=issue, said=said, by=by, edition=shown)
            except RefusedError as refused:
                return str(refused)[:38]
            finally:
                connection.close()
            return "decided"

        with ThreadPoolExecutor(len(people)) as pool:
            return sorted(pool.map(decide, people))

    assert answers("T1", [agent, colleague]) == [
        "Someone else changed this issue while ",
        "decided",
    ]
    assert answers("T2", [agent, agent]) == ["decided", "decided"]
    with without_access_scope():
        assert Decision.objects.count() == 2
    assert Event.objects.filter(type="issue.decided").count() == 2
