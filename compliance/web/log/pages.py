"""The event log in pages: all that one may read, one object's, one event with its proof."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseBadRequest, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.file_answers import as_file
from compliance.models import Event
from compliance.permissions import Action, may
from compliance.selectors.events import readable_events, tell_all
from compliance.selectors.log_export import event_line
from compliance.services.export_log import export_log
from compliance.services.integrate import leaf_of, prove
from compliance.web.keyset import AFTER, cut
from compliance.web.log.filters import EventFilters
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase


@login_required
@never_cache
@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """Show the events that one may read, newest first."""
    memberships = asked(request).memberships
    if not may(memberships, Action.READ_EVENTS):
        raise Http404
    filters = EventFilters(request.GET, queryset=readable_events(memberships))
    chosen = filters.chosen()
    context = {
        "filters": filters,
        "may_export": may(memberships, Action.EXPORT_EVENTS),
        **_page(request, chosen if chosen is not None else Event.objects.none()),
    }
    return render(request, "log/events.html", context)


@login_required
@never_cache
@require_safe
def object_events(request: HttpRequest, kind: str, uuid: UUID) -> HttpResponse:
    """Show what happened to one object."""
    found = readable_events(asked(request).memberships).filter(object_type=kind, object=uuid)
    page = _page(request, found)
    if not page["told"]:
        raise Http404
    return render(request, "log/object.html", page)


@login_required
@never_cache
@require_safe
def event(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show one event with everything it says."""
    return render(request, "log/event.html", {"one": tell_all([_readable(request, uuid)])[0]})


@login_required
@never_cache
@require_safe
def proof(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Hand out the proof that an event is in the log, giving it its place if it waits."""
    return _download(prove(_readable(request, uuid)), f"{uuid}.tlog-proof", "text/plain")


@login_required
@never_cache
@require_safe
def content(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Hand out what the proof proves."""
    leaf = leaf_of(_readable(request, uuid))
    return _download(event_line(leaf), f"{uuid}.json", "application/json")


@login_required
@require_POST
def export(request: HttpRequest) -> HttpResponseBase:
    """Export the log as it was asked for; the export is an event itself."""
    who = asked(request)
    if who.person is None or not may(who.memberships, Action.EXPORT_EVENTS):
        raise Http404
    filters = EventFilters(request.GET, queryset=readable_events(who.memberships))
    chosen = filters.chosen()
    if chosen is None:
        return HttpResponseBadRequest("This choice of events cannot be read.")
    in_words = filters.in_words()
    lines = export_log(by=who.person, events=chosen if in_words else None, asked=in_words)
    answer = StreamingHttpResponse(lines, content_type="application/jsonl")
    name = "events.jsonl" if in_words else "event-log.jsonl"
    return as_file(answer, name)


def _readable(request: HttpRequest, uuid: UUID) -> Event:
    return get_object_or_404(readable_events(asked(request).memberships), uuid=uuid)


def _page(request: HttpRequest, found: QuerySet[Event]) -> dict[str, object]:
    """Cut a page by key: it stays fast however long the log is."""
    page = cut(request, found, by="-id")
    kept = [(name, value) for name, value in request.GET.items() if name != AFTER]
    return {"told": tell_all(page.rows), "cut": page, "asked": urlencode(kept)}


def _download(text: str, name: str, kind: str) -> HttpResponse:
    return as_file(HttpResponse(text, content_type=f"{kind}; charset=utf-8"), name)
