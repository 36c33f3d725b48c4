"""API to order reports of a day, or of the week or month that contains it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    DayField,
    InstantField,
    PageQuery,
    chosen,
    operator_of,
    page,
    page_of,
)
from compliance.api.once import once
from compliance.api.operation import Operation, allows, key_in, require_sight
from compliance.api.problems import Problem, fault
from compliance.api.reading import body_of, query_of
from reports.documents.days import PERIODS, SUMMARY
from reports.documents.models import ReportOrder
from reports.documents.registry import About, document_kinds
from reports.schedules.orders import BY_HAND, order_by_hand

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


WHOM = "Name the operator that the report is about."
NOBODY = "A summary goes over all operators: name none."


class Wanted(serializers.Serializer[Any]):
    """Which report to make, about whom and which day."""

    kind = serializers.ChoiceField(sorted(BY_HAND))
    operator = CodeField(
        required=False, help_text="Left out for what goes over all operators: summaries."
    )
    day = DayField(help_text="Gambling day; of a week or a month any of its days.")


class OrderShape(serializers.Serializer[Any]):
    """A report that was ordered."""

    order = serializers.UUIDField(source="uuid")
    kind = serializers.CharField()
    operator = serializers.CharField(source="party.code", allow_null=True)
    day = serializers.DateField(allow_null=True)
    number = serializers.IntegerField()
    state = serializers.CharField(help_text="waiting, made or failed.")
    report = serializers.UUIDField(
        source="report.uuid", allow_null=True, help_text="Once it is made."
    )
    ordered = InstantField()


class OrderQuery(PageQuery):
    """Which orders to list."""

    kind = CodeField(required=False)
    operator = CodeField(required=False)
    day = DayField(required=False)
    state = serializers.ChoiceField(ReportOrder.State.choices, required=False)


class Orders(Operation):
    """Reports that are ordered."""

    operation = "report_orders"
    reads = frozenset({KeyScope.CASES})
    writes = frozenset({KeyScope.ORDERS})

    @extend_schema(parameters=[OrderQuery], responses=page_of(OrderShape))
    def get(self, request: Request) -> Response:
        """What was ordered, by people, programs and the clock, and how far it has come."""
        query = query_of(request, OrderQuery)
        require_sight(request, Action.SEE_FINDINGS)
        found = ReportOrder.objects.select_related("party", "report")
        found = chosen(found, request, query, kind="kind", day="day", state="state")
        return Response(page(found, query, OrderShape, of="report-orders"))

    @extend_schema(request=Wanted, responses={201: OrderShape})
    @once
    def post(self, request: Request) -> Response:
        """Order a report, for which the key needs the scope of what it tells as well."""
        query = body_of(request, Wanted)
        require_sight(request, Action.SEE_REPORTS)
        kind, operator = query["kind"], None
        if "operator" in query:
            operator = operator_of(request, query["operator"], document_kinds()[kind].action)
        wrong = NOBODY if kind == SUMMARY and operator else ""
        if operator is None and kind != SUMMARY and kind not in PERIODS:
            wrong = WHOM
        if wrong:
            raise Problem(409, wrong, errors=[fault("body", "/operator", wrong)])
        made = order_by_hand(
            kind=kind, about=About(party=operator, day=query["day"]), by=key_in(request)
        )
        place = reverse("api_report_order", args=[made.uuid])
        return Response(OrderShape(made).data, 201, headers={"Location": place})


class OneOrder(Operation):
    """A report that was ordered."""

    operation = "report_order"
    reads = frozenset({KeyScope.ORDERS})

    @extend_schema(responses=OrderShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """How far it has come, and which report it became."""
        found = get_object_or_404(ReportOrder.objects.select_related("party", "report"), uuid=uuid)
        kind = document_kinds().get(found.kind)
        action = kind.action if kind and found.party else Action.SEE_FINDINGS
        if not allows(request, action, found.party):
            raise Http404
        return Response(OrderShape(found).data)
