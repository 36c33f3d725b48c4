"""API for restitution: what players are owed by released findings, and what was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from audits.review.restitution.reads import ToPay, owing_days, to_pay
from audits.review.restitution.writes import confirm_restitution
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import (
    CodeField,
    DayField,
    GameField,
    InstantField,
    PageQuery,
    TextOrNull,
    chosen,
    operator_of,
    page,
    page_of,
)
from compliance.api.once import once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.problems import Problem
from compliance.api.reading import TextField, query_of
from compliance.filings.documents.api import (
    WITH_PAPERS,
    PaperShape,
    body_and_papers,
    request_bodies,
)
from games.cents import LARGEST_SUM

if TYPE_CHECKING:
    from datetime import date

    from rest_framework.request import Request

    from compliance.access.models import Party


LONGEST_NOTE = 10_000
NOBODY = (
    "The released findings show nothing owed to a player of this name, game and table that day."
)
READS = frozenset({KeyScope.DISCLOSURES, KeyScope.RESTITUTION})


class OwingDayQuery(PageQuery):
    """Which days to list."""

    operator = CodeField(required=False)


class OwingDayShape(serializers.Serializer[Any]):
    """A day on which players were underpaid by released findings."""

    operator = serializers.CharField(source="party.code")
    day = serializers.DateField()


class RestitutionQuery(serializers.Serializer[Any]):
    """Of which day, at which operator."""

    operator = CodeField()
    day = DayField(help_text="Gambling day.")


class Paid(serializers.Serializer[Any]):
    """What was paid to a player, and when."""

    operator = CodeField()
    day = DayField(help_text="Gambling day for which it is owed.")
    game = GameField()
    table = TextField(min_length=1, max_length=32)
    player = TextField(
        required=False, max_length=64, help_text="The pseudonym; left out where there is none."
    )
    cents = serializers.IntegerField(min_value=1, max_value=LARGEST_SUM)
    paid_on = DayField()
    note = TextField(required=False, max_length=LONGEST_NOTE)


class PaymentShape(serializers.Serializer[Any]):
    """A payment on file."""

    payment = serializers.UUIDField(source="row.uuid")
    cents = serializers.IntegerField(source="row.cents")
    paid_on = serializers.DateField(source="row.paid_on")
    note = serializers.CharField(source="row.note")
    at = InstantField(source="row.at")
    papers = PaperShape(many=True, source="documents")


class OwedShape(serializers.Serializer[Any]):
    """What one player is owed at one table, and what was paid of it; in cents."""

    game = serializers.CharField(source="owed.game")
    table = serializers.CharField(source="owed.table")
    player = TextOrNull(source="owed.player", help_text="A pseudonym.")
    owed = serializers.IntegerField(source="owed.owed")
    left = serializers.IntegerField()
    payments = PaymentShape(many=True)


class RestitutionShape(serializers.Serializer[Any]):
    """A day's restitution, what is left to pay first."""

    operator = serializers.CharField()
    day = serializers.DateField()
    players = OwedShape(many=True)


class OwingDays(Operation):
    """Days with restitution."""

    operation = "restitution_days"
    reads = READS

    @extend_schema(parameters=[OwingDayQuery], responses=page_of(OwingDayShape))
    def get(self, request: Request) -> Response:
        """Days on which players were underpaid by released findings, newest first."""
        query = query_of(request, OwingDayQuery)
        require_sight(request, Action.SEE_DISCLOSURES)
        found = chosen(owing_days(), request, query)
        return Response(page(found, query, OwingDayShape, of="restitution-days"))


class Restitution(Operation):
    """A day's restitution."""

    operation = "restitution"
    rows_in = "players"
    reads = READS
    writes = frozenset({KeyScope.RESTITUTION})
    parser_classes = WITH_PAPERS

    @extend_schema(parameters=[RestitutionQuery], responses=RestitutionShape)
    def get(self, request: Request) -> Response:
        """Who is owed how much by what was released of a day, and what was paid since."""
        query = query_of(request, RestitutionQuery)
        operator = operator_of(request, query["operator"], Action.SEE_DISCLOSURES)
        return Response(_restitution(operator, query["day"]))

    @extend_schema(request=request_bodies(Paid), responses={201: RestitutionShape})
    @once
    def post(self, request: Request) -> Response:
        """Confirm a payment to a player; supporting documents are parts of a form."""
        with body_and_papers(request, Paid) as (data, papers):
            operator = operator_of(request, data.pop("operator"), Action.CONFIRM_RESTITUTION)
            place = (data.pop("game"), data.pop("table"), data.pop("player", ""))
            day = data.pop("day")
            rows = {_place(row): row for row in to_pay(operator, day)}
            if place not in rows:
                raise Problem(409, NOBODY)
            confirm_restitution(
                party=operator, owed=rows[place].owed, papers=papers, by=key_in(request), **data
            )
        return Response(_restitution(operator, day), 201)


def _place(row: ToPay) -> tuple[str, str, str]:
    return row.owed.game, row.owed.table, row.owed.player


def _restitution(operator: Party, day: date) -> dict[str, Any]:
    players = to_pay(operator, day)
    return RestitutionShape({"operator": operator.code, "day": day, "players": players}).data
