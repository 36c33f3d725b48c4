"""What waits for the commission: each filing, before which unit, for what, with whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance import clock
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import InstantField
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of
from compliance.filings.queues.models import Queue
from compliance.filings.queues.reads import WaitingFiling, waiting_filings

if TYPE_CHECKING:
    from rest_framework.request import Request


class WaitingQuery(serializers.Serializer[Any]):
    """Which of it to list."""

    queue = serializers.ChoiceField(Queue.choices, required=False)
    assigned = serializers.BooleanField(required=False, help_text="Whether it is assigned.")
    assigned_to = serializers.UUIDField(required=False, help_text="Who has it.")


class WaitingShape(serializers.Serializer[Any]):
    """A filing that waits for a step of the commission."""

    filing = serializers.UUIDField(
        source="subject", help_text="Number of the request or the version of controls."
    )
    kind = serializers.CharField(source="filing.kind")
    what = serializers.CharField(source="filing.title")
    party = serializers.CharField(source="party.code", help_text="Code of who filed it.")
    queue = serializers.ChoiceField(Queue.choices, help_text="The unit that moves it on.")
    waits_for = serializers.CharField(source="filing.next_step")
    since = InstantField(source="filing.since", allow_null=True)
    due = serializers.DateField(allow_null=True)
    assigned_to = serializers.UUIDField(source="person.uuid", allow_null=True)


class WaitingFilingsShape(serializers.Serializer[Any]):
    """All of it."""

    filings = WaitingShape(many=True)


class WaitingFilings(Operation):
    """What waits for the commission."""

    operation = "waiting_filings"
    reads = frozenset({KeyScope.FILINGS})

    @extend_schema(parameters=[WaitingQuery], responses=WaitingFilingsShape)
    def get(self, request: Request) -> Response:
        """Filings that wait for the commission's next step, what has waited longest first."""
        query = query_of(request, WaitingQuery)
        require_sight(request, Action.SEE_QUEUES)
        found = [each for each in waiting_filings(clock.today()) if _is_asked_for(each, query)]
        return Response({"filings": WaitingShape(found, many=True).data})


def _is_asked_for(waiting: WaitingFiling, query: dict[str, Any]) -> bool:
    person = waiting.person
    return (
        query.get("queue", waiting.queue) == waiting.queue
        and query.get("assigned", person is not None) == (person is not None)
        and ("assigned_to" not in query or (person and person.uuid) == query["assigned_to"])
    )
