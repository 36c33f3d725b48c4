"""One's own account: roles held, ways of signing in, where one is signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from compliance.permissions import needs_second_factor
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@login_required
@require_safe
def own_account(request: HttpRequest) -> HttpResponse:
    """What one is here, and what one can change about signing in."""
    who = asked(request)
    context = {
        "memberships": who.memberships,
        "owes_second_factor": needs_second_factor(who.memberships),
        "has_second_factor": is_mfa_enabled(request.user),
    }
    return render(request, "accounts/own.html", context)
