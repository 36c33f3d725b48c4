"""Where a request comes from, as limits, events and keys count it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied

if TYPE_CHECKING:
    from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The visitor's address; empty where that cannot be told."""
    try:
        return str(get_adapter(request).get_client_ip(request))
    except PermissionDenied:
        return ""
