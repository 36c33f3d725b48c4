"""Two people at the same instant, on the same page: one decides, the other is told."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from audits.models import Decision
from audits.services.review import Said, take_step
from audits.services.work import work_on
from compliance.choices import Role
from compliance.models import Event
from compliance.services.refused import RefusedError
from compliance.walls import without_walls
from tests.audits.desk.patterns import pattern_of, unit_of_agent
from tests.compliance.people import made_person, party_for, person_as


def test_of_two_who_decide_at_once_one_does_and_one_is_told_and_a_double_click_is_one_act(
    own_database,
):
    agent = person_as(Role.AGENT)
    unit = unit_of_agent(agent)
    colleague = made_person("colleague", unit, Role.AGENT)
    room = party_for(Role.OPERATOR_MANAGER, "room")

    def answers(table, people):
        pattern = pattern_of(room, seen_by=unit, table=table)
        shown = work_on(pattern=pattern, unit=unit).edition
        together = Barrier(len(people))

        def decide(by):
            together.wait()
            try:
                said = Said(step="dismiss", reason="Misread")
                take_step(pattern=pattern, said=said, by=by, edition=shown)
            except RefusedError as refused:
                return str(refused)[:40]
            finally:
                connection.close()
            return "decided"

        with ThreadPoolExecutor(len(people)) as pool:
            return sorted(pool.map(decide, people))

    assert answers("T1", [agent, colleague]) == [
        "Somebody changed this pattern while you ",
        "decided",
    ]
    assert answers("T2", [agent, agent]) == ["decided", "decided"]
    with without_walls():
        assert Decision.objects.count() == 2
    assert Event.objects.filter(type="pattern.decided").count() == 2
