"""Two people decide access changes at the same instant, on a database with real commits."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from compliance.access.models import Membership
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.models import Event
from compliance.people.access_changes import confirm, end_persons_role
from compliance.people.models import AccessChange, Invitation
from tests.compliance.accounts.access import invitation_of, role_of, two_administrators
from tests.compliance.people import person_as


def at_once(acts: list) -> list[str]:
    """Return the results of two acts at the same instant."""
    together = Barrier(len(acts))

    def do(act) -> str:
        with without_access_scope():
            together.wait()
            try:
                act()
            except RefusedError as refused:
                return str(refused)
            finally:
                connection.close()
            return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(do, acts))


def test_concurrent_confirmation_happens_once(own_database):
    with without_access_scope():
        proposer, second = two_administrators()
        third = person_as(Role.DIRECTOR, "licensing")
        change = invitation_of("rosa@example.org", by=proposer)
        seen = [AccessChange.objects.get(pk=change.pk) for _ in range(2)]
        answers = at_once(
            [
                lambda: confirm(change=seen[0], by=second),
                lambda: confirm(change=seen[1], by=third),
            ],
        )
        change.refresh_from_db()
        assert answers == [
            f"{change.decided_by} already decided this: confirmed. Nothing was changed.",
            "done",
        ]
        assert Invitation.objects.count() == 1
        assert Event.objects.filter(type="access_change.confirmed").count() == 1


def test_administrators_ending_each_other_leave_one(own_database):
    with without_access_scope():
        first, second = two_administrators()
        ends_second = end_persons_role(membership=role_of(second), reason="Retires.", by=first)
        ends_first = end_persons_role(membership=role_of(first), reason="Retires.", by=second)
        directors = [person_as(Role.DIRECTOR, "field"), person_as(Role.DIRECTOR, "licensing")]
        answers = at_once(
            [
                lambda: confirm(change=ends_second, by=directors[0]),
                lambda: confirm(change=ends_first, by=directors[1]),
            ],
        )
        assert answers.count("done") == 1
        assert Membership.objects.filter(role=Role.ADMINISTRATOR, ended=None).count() == 1
