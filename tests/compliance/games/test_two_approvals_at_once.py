"""Two people approve the same request at the same instant: one does, the other gets a conflict."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.digests import state_digest
from compliance.events.models import Event
from compliance.filings.requests.models import Approval, GameRequest
from compliance.filings.requests.writes import approve_request
from tests.compliance.games.filing import maker_and_officer, readings, under_review
from tests.compliance.people import person_as


def test_concurrent_approvals_leave_one(own_database):
    with without_access_scope():
        maker, officer = maker_and_officer()
        request = under_review(maker, officer)
        people = [officer, person_as(Role.DIRECTOR)]
        together = Barrier(len(people))

        def approve(by):
            with without_access_scope():
                mine = GameRequest.objects.get(pk=request.pk)
                seen = state_digest(mine.rule_version)
                together.wait()
                try:
                    read = readings(mine.rule_version)
                    approve_request(request=mine, seen=seen, interpretations=read, by=by)
                except RefusedError as refused:
                    return str(refused)
                finally:
                    connection.close()
                return "approved"

        with ThreadPoolExecutor(len(people)) as pool:
            answers = sorted(pool.map(approve, people))
        assert answers == [
            "Another user took a step just now. Reload the request.",
            "approved",
        ]
        assert Approval.objects.count() == 1
        assert Event.objects.filter(type="approval.given").count() == 1
