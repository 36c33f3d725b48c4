"""Who does whose work while they are absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from audits.selectors.desk import covers_of, reviewers
from audits.services.work import arrange_cover, end_cover, unit_of
from audits.web.desk.forms import CoverForm
from compliance.permissions import Action
from compliance.services.refused import RefusedError
from compliance.web.acting import accepted, allows, person_of, require_sight

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def cover(request: HttpRequest) -> HttpResponse:
    """Covers that go on or are to come, and the form that arranges one."""
    require_sight(request, Action.REVIEW_FINDINGS)
    person = person_of(request)
    supervises = allows(request, Action.ASSIGN_FINDINGS)
    people = reviewers()
    form = CoverForm(
        people if supervises else [person],
        [each for each in people if supervises or each != person],
        request.POST if request.method == "POST" else None,
    )
    if request.method == "POST":
        made = accepted(form, lambda said: arrange_cover(by=person, **said))
        if made is not None:
            messages.success(
                request, f"{made.covering} does the work of {made.absent} on these days."
            )
            return redirect("cover")
    covers = covers_of(unit_of(person))
    context = {
        "form": form,
        "covers": [(each, supervises or each.absent_id == person.pk) for each in covers],
    }
    return render(request, "audits/desk/cover.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def end(request: HttpRequest) -> HttpResponse:
    """End a cover before its time."""
    require_sight(request, Action.REVIEW_FINDINGS)
    person = person_of(request)
    try:
        ended = next(
            each
            for each in covers_of(unit_of(person))
            if str(each.uuid) == request.POST.get("cover", "")
        )
        end_cover(cover=ended, by=person)
        messages.success(request, f"{ended.absent} has the own work back.")
    except (StopIteration, RefusedError):
        messages.error(request, "This cover has ended already, or is not yours to end.")
    return redirect("cover")
