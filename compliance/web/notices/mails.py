"""Mails about notices that could not be sent: shown to whoever runs the system, and sent again."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from compliance.permissions import Action
from compliance.selectors.notices import mails_astray
from compliance.services.notice_mails import give_up, send_again
from compliance.services.refused import RefusedError
from compliance.web.acting import allows, person_of, require_sight
from compliance.web.keyset import cut

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@login_required
@require_safe
def mails(request: HttpRequest) -> HttpResponse:
    """What failed, and what should have left an hour ago: to whom, since when, and why."""
    require_sight(request, Action.SEE_OPERATIONS)
    page = cut(request, mails_astray().select_related("person"))
    context = {"cut": page, "mends": allows(request, Action.MEND_OPERATIONS)}
    return render(request, "notices/mails.html", context)


@login_required
@require_POST
def mend(request: HttpRequest) -> HttpResponse:
    """Send one that failed once more, or leave it unsent."""
    require_sight(request, Action.MEND_OPERATIONS)
    gives_up = "give_up" in request.POST
    try:
        mail = UUID(request.POST.get("mail", ""))
        (give_up if gives_up else send_again)(mail=mail, by=person_of(request))
    except ValueError:
        messages.error(request, "Choose a mail of the list.")
    except RefusedError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, "It stays unsent." if gives_up else "It is sent again.")
    return redirect("notice_mails")
