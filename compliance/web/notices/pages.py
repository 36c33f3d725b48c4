"""What one was told: the list, what is read of it, and how one wants to be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from compliance.selectors.notices import kinds_for, notices_of, ways_of
from compliance.services.notices import choose_ways, note_read
from compliance.telling import Way
from compliance.web.acting import accepted, person_of
from compliance.web.keyset import cut
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from compliance.telling import NoticeKind


class WaysForm(forms.Form):
    """One choice for each kind that one is ever told of."""

    def __init__(
        self, kinds: list[NoticeKind], chosen: Mapping[str, Way], data: Any = None
    ) -> None:
        super().__init__(data)
        for kind in kinds:
            self.fields[kind.name] = forms.ChoiceField(
                label=kind.label,
                choices=Way.choices,
                initial=chosen.get(kind.name, kind.usual),
            )


@login_required
@require_safe
def notices(request: HttpRequest) -> HttpResponse:
    """What one was told, the newest first."""
    found = notices_of(person_of(request), asked(request).memberships)
    only_new = "new" in request.GET
    page = cut(request, found.filter(seen=None) if only_new else found)
    context = {"cut": page, "only_new": only_new, "kinds": _labels(request)}
    return render(request, "notices/notices.html", context)


@login_required
@require_safe
def open_one(request: HttpRequest) -> HttpResponse:
    """Note that a notice was read, and lead to what it is about."""
    try:
        uuid = UUID(request.GET.get("notice", ""))
    except ValueError as unreadable:
        raise Http404 from unreadable
    person = person_of(request)
    found = notices_of(person, asked(request).memberships).filter(uuid=uuid).first()
    if found is None:
        raise Http404
    if found.seen is None:
        note_read(by=person, only=uuid)
    return redirect(found.link)


@login_required
@require_POST
def read(request: HttpRequest) -> HttpResponse:
    """Note that everything was read, or the one that is named."""
    named = request.POST.get("notice", "")
    try:
        only = UUID(named) if named else None
    except ValueError as unreadable:
        raise Http404 from unreadable
    count = note_read(by=person_of(request), only=only)
    if not named:
        messages.success(request, f"Marked as read: {count}.")
    return redirect("notices")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def choices(request: HttpRequest) -> HttpResponse:
    """How one wants to be told of each kind."""
    person = person_of(request)
    kinds = kinds_for(asked(request).memberships)
    form = WaysForm(kinds, ways_of(person), request.POST if request.method == "POST" else None)
    if form.is_bound and accepted(form, lambda said: _choose(request, said)) is not None:
        messages.success(request, "It is set, for what happens from now on.")
        return redirect("notice_choices")
    status = 422 if form.errors else 200
    return render(request, "notices/choices.html", {"form": form, "kinds": kinds}, status=status)


def _choose(request: HttpRequest, said: dict[str, Any]) -> bool:
    choose_ways(ways={name: Way(way) for name, way in said.items()}, by=person_of(request))
    return True


def _labels(request: HttpRequest) -> dict[str, str]:
    return {kind.name: kind.label for kind in kinds_for(asked(request).memberships)}
