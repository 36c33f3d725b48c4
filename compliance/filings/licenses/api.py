"""Licenses on file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.access.models import Party
from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import PageQuery, chosen, page, page_of
from compliance.api.operation import Operation, require_sight
from compliance.api.reading import query_of
from compliance.filings.licenses.models import License, LicenseChange, LicenseClass

if TYPE_CHECKING:
    from rest_framework.request import Request


class LicenseQuery(PageQuery):
    """Which licenses to list."""

    kind = serializers.ChoiceField(LicenseClass.choices, required=False)


class LicenseChangeShape(serializers.Serializer[Any]):
    """What became of a license before its time."""

    effect = serializers.ChoiceField(LicenseChange.Effect.choices)
    from_date = serializers.DateField()
    reason = serializers.CharField()


class LicenseShape(serializers.Serializer[Any]):
    """A license as it was granted."""

    license = serializers.UUIDField(source="uuid")
    holder = serializers.CharField(source="holder.code")
    kind = serializers.ChoiceField(LicenseClass.choices)
    number = serializers.CharField()
    from_date = serializers.DateField()
    to_date = serializers.DateField(allow_null=True, help_text="From this day on it holds no more.")
    changes = LicenseChangeShape(many=True)


class Licenses(Operation):
    """Licenses."""

    operation = "licenses"
    reads = frozenset({KeyScope.FILINGS})

    @extend_schema(parameters=[LicenseQuery], responses=page_of(LicenseShape))
    def get(self, request: Request) -> Response:
        """Licenses of the parties one may see, the newest first."""
        said = query_of(request, LicenseQuery)
        require_sight(request, Action.SEE_FILINGS)
        seen = License.objects.filter(holder__in=Party.objects.values("pk"))
        seen = seen.select_related("holder").prefetch_related("changes")
        found = chosen(seen, request, said, kind="kind")
        return Response(page(found, said, LicenseShape, of="licenses"))
