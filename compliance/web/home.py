from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from compliance.capabilities import capabilities

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this system is for and what it can do so far."""
    return render(request, "compliance/home.html", {"capabilities": capabilities()})
