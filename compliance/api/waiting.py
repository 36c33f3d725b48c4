"""What waits for the commission: each filing, before which unit, for what, with whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance import clock
from compliance.api.fields import at, day_of
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of
from compliance.models import Queue
from compliance.permissions import Action, KeyScope
from compliance.selectors.filing_queues import WaitingFiling, waiting_filings

if TYPE_CHECKING:
    from rest_framework.request import Request


class WaitingQuery(serializers.Serializer[Any]):
    """Which of it to list."""

    queue = serializers.ChoiceField(Queue.choices, required=False)
    assigned = serializers.BooleanField(required=False, help_text="Whether somebody has it.")
    assigned_to = serializers.UUIDField(required=False, help_text="Who has it.")


class WaitingShape(serializers.Serializer[Any]):
    """A filing that somebody of the commission has to move on."""

    filing = serializers.UUIDField(help_text="Number of the request or the version of controls.")
    kind = serializers.CharField()
    what = serializers.CharField()
    party = serializers.CharField(help_text="Code of who filed it.")
    queue = serializers.ChoiceField(Queue.choices, help_text="The unit that moves it on.")
    waits_for = serializers.CharField()
    since = serializers.DateTimeField(allow_null=True)
    due = serializers.DateField(allow_null=True)
    assigned_to = serializers.UUIDField(allow_null=True)


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
        said = query_of(request, WaitingQuery)
        require_sight(request, Action.SEE_QUEUES)
        found = [_told(each) for each in waiting_filings(clock.today())]
        return Response({"filings": [each for each in found if _asked(each, said)]})


def _asked(told: dict[str, Any], said: dict[str, Any]) -> bool:
    whose = told["assigned_to"]
    return (
        said.get("queue", told["queue"]) == told["queue"]
        and said.get("assigned", whose is not None) == (whose is not None)
        and ("assigned_to" not in said or str(said["assigned_to"]) == whose)
    )


def _told(each: WaitingFiling) -> dict[str, Any]:
    return {
        "filing": str(each.subject),
        "kind": each.kind.lower(),
        "what": each.what,
        "party": each.party.code,
        "queue": each.queue,
        "waits_for": each.waits_for,
        "since": at(each.since),
        "due": day_of(each.due),
        "assigned_to": str(each.person.uuid) if each.person else None,
    }
