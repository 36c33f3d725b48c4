"""Operators, as things that a legal hold can be placed on."""

from __future__ import annotations

from compliance.choices import OPERATOR_KINDS
from compliance.holdable import Found, Kind
from compliance.models import Party


def _operator(code: str) -> Found | None:
    party = Party.objects.filter(code=code, kind__in=OPERATOR_KINDS).first()
    return Found(party.uuid, party.uuid, f"operator {party}", party) if party else None


KINDS = (Kind("operator", "Operator", "Write its code, as cedar.", _operator),)
