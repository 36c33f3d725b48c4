"""Games, what their rules are, requests for approval, licences: as they are on file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.api.approvals import ApprovalShape, approvals_told
from compliance.api.fields import at, chosen, day_of
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.operation import Operation, require_sight
from compliance.api.papers import PaperShape, papers_told
from compliance.api.reading import query_of
from compliance.api.remarks import RemarkShape, remarks_told
from compliance.models import (
    Game,
    GameRequest,
    Licence,
    LicenceChange,
    Party,
    RuleVersion,
)
from compliance.models.licence import LicenceClass
from compliance.permissions import Action, KeyScope
from compliance.selectors.games import papers_of
from compliance.selectors.remarks import remarks_on_request, why_it_stands

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class GameShape(serializers.Serializer[Any]):
    """A game as it was filed, and its rules from version to version."""

    game = serializers.CharField()
    name = serializers.CharField()
    engine = serializers.CharField(help_text="What round logs call it; empty where none can.")
    banked_by = serializers.ChoiceField(Game.Banking.choices)
    supplier = serializers.CharField(allow_null=True)
    rule_versions = serializers.ListField(child=serializers.UUIDField())


class DocumentFindingShape(serializers.Serializer[Any]):
    """A difference between papers that should agree."""

    code = serializers.CharField()
    says = serializers.CharField()
    cites = serializers.ListField(child=serializers.CharField())


class RuleVersionShape(serializers.Serializer[Any]):
    """The rules of a game at one time; they never change."""

    rule_version = serializers.UUIDField()
    game = serializers.CharField()
    number = serializers.IntegerField()
    rule_set = serializers.CharField(help_text="Digest of the engine's rule set, if one knows it.")
    interpretations = serializers.DictField(child=serializers.CharField())
    as_of = serializers.DateField()
    citations = serializers.ListField(child=serializers.CharField())
    printed_maximum = serializers.IntegerField(allow_null=True, help_text="In cents.")
    note = serializers.CharField()
    at = serializers.DateTimeField()
    papers = PaperShape(many=True)
    findings = DocumentFindingShape(many=True)


class RequestQuery(PageQuery):
    """Which requests to list."""

    state = serializers.ChoiceField(GameRequest.State.choices, required=False)
    path = serializers.ChoiceField(GameRequest.Path.choices, required=False)


class RequestShape(serializers.Serializer[Any]):
    """A request for approval of a game's rules, and where it stands."""

    request = serializers.UUIDField()
    game = serializers.CharField()
    rule_version = serializers.UUIDField()
    path = serializers.ChoiceField(GameRequest.Path.choices)
    asked_by = serializers.CharField()
    state = serializers.ChoiceField(GameRequest.State.choices)
    since = serializers.DateTimeField(allow_null=True)
    due = serializers.DateField(allow_null=True, help_text="Of what is missing.")


class DenialShape(serializers.Serializer[Any]):
    """That it was denied, closed or objected to, and why."""

    reasons = serializers.CharField()
    at = serializers.DateTimeField()


class RequestWithRemarks(RequestShape):
    """The same, with all that was said."""

    why = serializers.CharField(help_text="It stands where it stands.")
    remarks = RemarkShape(many=True)
    approvals = ApprovalShape(many=True)
    denials = DenialShape(many=True)


class LicenceQuery(PageQuery):
    """Which licences to list."""

    kind = serializers.ChoiceField(LicenceClass.choices, required=False)


class LicenceChangeShape(serializers.Serializer[Any]):
    """What became of a licence before its time."""

    effect = serializers.ChoiceField(LicenceChange.Effect.choices)
    from_date = serializers.DateField()
    reason = serializers.CharField()


class LicenceShape(serializers.Serializer[Any]):
    """A licence as it was granted."""

    licence = serializers.UUIDField()
    holder = serializers.CharField()
    kind = serializers.ChoiceField(LicenceClass.choices)
    number = serializers.CharField()
    from_date = serializers.DateField()
    to_date = serializers.DateField(allow_null=True, help_text="From this day on it holds no more.")
    changes = LicenceChangeShape(many=True)


class OfFilings(Operation):
    """What every one of these asks for."""

    reads = frozenset({KeyScope.FILINGS})


class Games(OfFilings):
    """Games."""

    operation = "games"

    @extend_schema(parameters=[PageQuery], responses=page_of(GameShape))
    def get(self, request: Request) -> Response:
        """Games on file, the newest first."""
        said = query_of(request, PageQuery)
        require_sight(request, Action.SEE_FILINGS)
        found = Game.objects.select_related("supplier").prefetch_related("rule_versions")
        return Response(page(found, said, _game, of="games"))


class OneRuleVersion(OfFilings):
    """The rules of a game."""

    operation = "rule_version"

    @extend_schema(responses=RuleVersionShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """The rules as they were filed, and what their papers contradict each other in."""
        require_sight(request, Action.SEE_FILINGS)
        found = get_object_or_404(RuleVersion.objects.select_related("game"), uuid=uuid)
        return Response(_rules(found))


class Requests(OfFilings):
    """Requests for approval."""

    operation = "requests"

    @extend_schema(parameters=[RequestQuery], responses=page_of(RequestShape))
    def get(self, request: Request) -> Response:
        """Requests for approval, the newest first."""
        said = query_of(request, RequestQuery)
        require_sight(request, Action.SEE_FILINGS)
        found = GameRequest.objects.select_related("rule_version__game", "asked_by")
        found = chosen(found, request, said, state="state", path="path")
        return Response(page(found, said, _request, of="requests"))


class OneRequest(OfFilings):
    """A request for approval."""

    operation = "request"

    @extend_schema(responses=RequestWithRemarks)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Where it stands, and what was said of it."""
        require_sight(request, Action.SEE_FILINGS)
        found = get_object_or_404(
            GameRequest.objects.select_related("rule_version__game", "asked_by"), uuid=uuid
        )
        more = {
            "why": why_it_stands(found),
            "remarks": remarks_told(remarks_on_request(found)),
            "approvals": approvals_told(found.rule_version.uuid, found.asked_by),
            "denials": [
                {"reasons": each.reasons, "at": at(each.at)} for each in found.denials.all()
            ],
        }
        return Response(_request(found) | more)


class Licences(OfFilings):
    """Licences."""

    operation = "licences"

    @extend_schema(parameters=[LicenceQuery], responses=page_of(LicenceShape))
    def get(self, request: Request) -> Response:
        """Licences of the parties one may see, the newest first."""
        said = query_of(request, LicenceQuery)
        require_sight(request, Action.SEE_FILINGS)
        seen = Licence.objects.filter(holder__in=Party.objects.values("pk"))
        seen = seen.select_related("holder").prefetch_related("changes")
        found = chosen(seen, request, said, kind="kind")
        return Response(page(found, said, _licence, of="licences"))


def _game(game: Game) -> dict[str, Any]:
    return {
        "game": game.slug,
        "name": game.name,
        "engine": game.engine,
        "banked_by": game.banked_by,
        "supplier": game.supplier.code if game.supplier else None,
        "rule_versions": [str(each.uuid) for each in game.rule_versions.all()],
    }


def _rules(version: RuleVersion) -> dict[str, Any]:
    return {
        "rule_version": str(version.uuid),
        "game": version.game.slug,
        "number": version.number,
        "rule_set": version.rule_set,
        "interpretations": version.interpretations,
        "as_of": str(version.as_of),
        "citations": version.citations,
        "printed_maximum": version.printed_maximum,
        "note": version.note,
        "at": at(version.at),
        "papers": papers_told(papers_of(version)),
        "findings": [
            {"code": each.code, "says": each.says, "cites": each.cites}
            for each in version.findings.all()
        ],
    }


def _request(each: GameRequest) -> dict[str, Any]:
    return {
        "request": str(each.uuid),
        "game": each.rule_version.game.slug,
        "rule_version": str(each.rule_version.uuid),
        "path": each.path,
        "asked_by": each.asked_by.code,
        "state": each.state,
        "since": at(each.since),
        "due": day_of(each.due),
    }


def _licence(each: Licence) -> dict[str, Any]:
    return {
        "licence": str(each.uuid),
        "holder": each.holder.code,
        "kind": each.kind,
        "number": each.number,
        "from_date": str(each.from_date),
        "to_date": day_of(each.to_date),
        "changes": [
            {"effect": it.effect, "from_date": str(it.from_date), "reason": it.reason}
            for it in each.changes.all()
        ],
    }
