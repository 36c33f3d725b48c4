"""API for games on file and the versions of their rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import InstantField, PageQuery, page, page_of
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of
from compliance.filings.documents.api import PaperShape, describe_documents
from compliance.filings.games.models import Game, RuleVersion
from compliance.filings.games.reads import filed_documents

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class GameShape(serializers.Serializer[Any]):
    """A game as it was filed, and its rules from version to version."""

    game = serializers.CharField(source="slug")
    name = serializers.CharField()
    engine = serializers.CharField(help_text="What round logs call it; empty where none can.")
    banked_by = serializers.ChoiceField(Game.Banking.choices)
    supplier = serializers.CharField(source="supplier.code", allow_null=True)
    rule_versions = serializers.ListField(child=serializers.UUIDField(), source="version_uuids")


class DocumentFindingShape(serializers.Serializer[Any]):
    """A difference between papers that should agree."""

    code = serializers.CharField()
    says = serializers.CharField()
    cites = serializers.ListField(child=serializers.CharField())


class _RuleVersion(serializers.Serializer[Any]):
    rule_version = serializers.UUIDField(source="uuid")
    game = serializers.CharField(source="game.slug")
    number = serializers.IntegerField()
    rule_set = serializers.CharField(help_text="Digest of the engine's rule set, if one knows it.")
    interpretations = serializers.DictField(child=serializers.CharField())
    as_of = serializers.DateField()
    citations = serializers.ListField(child=serializers.CharField())
    printed_maximum = serializers.IntegerField(allow_null=True, help_text="In cents.")
    note = serializers.CharField()
    at = InstantField()
    findings = DocumentFindingShape(many=True)


class RuleVersionShape(_RuleVersion):
    """The rules of a game at one time; they never change."""

    papers = PaperShape(many=True)


class Games(Operation):
    """Games."""

    operation = "games"
    reads = frozenset({KeyScope.FILINGS})

    @extend_schema(parameters=[PageQuery], responses=page_of(GameShape))
    def get(self, request: Request) -> Response:
        """Games on file, the newest first."""
        said = query_of(request, PageQuery)
        require_sight(request, Action.SEE_FILINGS)
        found = Game.objects.select_related("supplier").prefetch_related("rule_versions")
        return Response(page(found, said, GameShape, of="games"))


class OneRuleVersion(Operation):
    """The rules of a game."""

    operation = "rule_version"
    reads = frozenset({KeyScope.FILINGS})

    @extend_schema(responses=RuleVersionShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """The rules as they were filed, and what their papers contradict each other in."""
        require_sight(request, Action.SEE_FILINGS)
        found = get_object_or_404(RuleVersion.objects.select_related("game"), uuid=uuid)
        return Response(
            _RuleVersion(found).data | {"papers": describe_documents(filed_documents(found))}
        )
