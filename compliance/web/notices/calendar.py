"""The calendar of due dates: its secret address, made and revoked, and what is read there."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from compliance import clock
from compliance.due_dates import due_dates
from compliance.selectors.notices import calendar_at, calendar_of
from compliance.services.notices import make_calendar, revoke_calendar, take_calendars_turn
from compliance.services.refused import RefusedError
from compliance.walls import memberships_of, visible_parties, within
from compliance.web.acting import person_of
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from django.http import HttpRequest

TOO_OFTEN = "This calendar is asked for too often. Have your program ask every few minutes.\n"


@login_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What one has to do by when, and the address for one's own calendar."""
    person = person_of(request)
    context = {
        "dates": due_dates(person, asked(request).memberships),
        "today": clock.today(),
        "feed": calendar_of(person),
    }
    return render(request, "notices/calendar.html", context)


@login_required
@require_POST
def make(request: HttpRequest) -> HttpResponse:
    """Make an address and show it, this one time; the one before serves no more."""
    try:
        secret = make_calendar(by=person_of(request))
    except RefusedError as refused:
        messages.error(request, str(refused))
        return redirect("calendar")
    address = f"{settings.SITE_URL}{reverse('calendar_feed', args=[secret])}"
    return render(request, "notices/calendar_made.html", {"address": address})


@login_required
@require_POST
def revoke(request: HttpRequest) -> HttpResponse:
    """Let the address serve no more."""
    try:
        revoke_calendar(by=person_of(request))
    except RefusedError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, "The address opens nothing any more.")
    return redirect("calendar")


@require_safe
def feed(_: HttpRequest, secret: str) -> HttpResponse:
    """The calendar, for the program that knows the address.

    Once the address was revoked, the account closed or the last role ended, nothing is there.
    """
    # Few processes ever write a calendar, and every one loads the addresses.
    from compliance.calendar_file import calendar_of as written

    found = calendar_at(secret)
    memberships = memberships_of(found.person) if found is not None else []
    if found is None or not memberships:
        raise Http404
    if wait := take_calendars_turn(found):
        answer = HttpResponse(TOO_OFTEN, content_type="text/plain; charset=utf-8", status=429)
        answer["Retry-After"] = str(ceil(wait))
        return answer
    with within(visible_parties(memberships)):
        dates = due_dates(found.person, memberships)
    answer = HttpResponse(
        written(dates, at=clock.now()), content_type="text/calendar; charset=utf-8"
    )
    answer["Content-Disposition"] = 'inline; filename="due-dates.ics"'
    answer["Cache-Control"] = "private, max-age=300"
    answer["X-Robots-Tag"] = "noindex"
    return answer
