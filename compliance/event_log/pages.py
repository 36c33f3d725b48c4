"""Pages of the log for people with access, and the files that anyone needs to check it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import django_filters
import django_tables2 as tables
from django import forms
from django.http import Http404, HttpResponse, HttpResponseBadRequest, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from compliance.access.permissions import Action
from compliance.errors import RefusedError
from compliance.event_log import verifier, verifier_export, verifier_pdf
from compliance.event_log.cosigning import (
    LONGEST,
    build_witness,
    checkpoint_to_cosign,
    cosigned_note,
    newest_cosigned,
    receive,
)
from compliance.event_log.export import event_line, export_log
from compliance.event_log.proof import TILE_HEIGHT, TILE_WIDTH
from compliance.event_log.reads import describe_events, readable_events
from compliance.event_log.tree import (
    StoredTiles,
    consistency_proof,
    newest_checkpoint,
    trusted_keys,
)
from compliance.event_log.writes import leaf_of, prove
from compliance.events import signatures
from compliance.events.exports import record_export
from compliance.events.models import Event
from compliance.events.types import event_types
from compliance.files.downloads import as_file
from compliance.ui.access import asked
from compliance.ui.lists import AFTER
from compliance.ui.pages import ListPage, Page
from compliance.ui.tables import ListTable, WhenColumn

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from compliance.event_log.models import Checkpoint


MOST_LEVELS = 7
TILE = re.compile(r"(?P<index>(?:x[0-9]{3}/){0,4}[0-9]{3})(?:\.p/(?P<width>[1-9][0-9]{0,2}))?")
UTF_8 = "charset=utf-8"
TEXT = f"text/plain; {UTF_8}"


class EventFilters(django_filters.FilterSet):  # type: ignore[misc]
    """Filter events by type, day, party, actor and object."""

    type = django_filters.ChoiceFilter(
        label="What happened",
        choices=lambda: [(kind.name, kind.name) for kind in event_types()],
        empty_label="Everything",
    )
    since = django_filters.DateFilter(
        label="From", field_name="at", lookup_expr="date__gte",
        widget=forms.DateInput(attrs={"type": "date"}),
    )  # fmt: skip
    until = django_filters.DateFilter(
        label="To", field_name="at", lookup_expr="date__lte",
        widget=forms.DateInput(attrs={"type": "date"}),
    )  # fmt: skip
    party = django_filters.UUIDFilter(label="Party", widget=forms.HiddenInput())
    actor = django_filters.UUIDFilter(label="Actor", widget=forms.HiddenInput())
    object = django_filters.UUIDFilter(label="Object", widget=forms.HiddenInput())

    class Meta:
        model = Event
        fields: tuple[str, ...] = ()

    def describe(self) -> str:
        """Describe the filters as they appear in the address."""
        chosen = self.form.cleaned_data if self.is_valid() else {}
        return "&".join(f"{name}={value}" for name, value in chosen.items() if value)


class EventTable(ListTable):
    """Events, newest first."""

    says = tables.Column(
        verbose_name="What happened", linkify=("event", {"uuid": tables.A("event__uuid")})
    )
    at = WhenColumn(accessor="event__at", verbose_name="When")
    reason = tables.Column(accessor="event__reason", verbose_name="Why", default="–")
    index = tables.Column(verbose_name="Place in the log", default="waiting")


class ObjectEvents(ListPage):
    """The events of one object, newest first."""

    template_name = "log/object.html"
    by = ("-id",)  # pages by key stay fast however long the log is

    def get_rows(self) -> QuerySet[Event]:
        kind, uuid = self.kwargs["kind"], self.kwargs["uuid"]
        events = readable_events(asked(self.request).memberships)
        found = events.filter(object_type=kind, object=uuid)
        if not found.exists():
            raise Http404
        return found

    def get_table(self, rows: list[Event]) -> EventTable:
        return EventTable(describe_events(rows), caption="Events")


class EventList(ObjectEvents):
    """The events that the user may read, newest first."""

    permission = Action.READ_EVENTS
    template_name = "log/events.html"
    filter_class = EventFilters

    def get_rows(self) -> QuerySet[Event]:
        return readable_events(asked(self.request).memberships)

    def get_context(self) -> dict[str, Any]:
        kept = [(name, value) for name, value in self.request.GET.items() if name != AFTER]
        return super().get_context() | {
            "may_export": self.allows(Action.EXPORT_EVENTS),
            "kept": urlencode(kept),
        }


class EventPage(Page):
    """One event with all its details."""

    template_name = "log/event.html"

    def get_subject(self) -> Event:
        events = readable_events(asked(self.request).memberships)
        return get_object_or_404(events, uuid=self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        return {"one": describe_events([self.subject])[0]}


class EventProof(EventPage):
    """The proof that an event is in the log; a waiting event is added to the log first."""

    def show(self, *, status: int = 200) -> HttpResponse:
        """Return the proof as a file."""
        proof = HttpResponse(prove(self.subject), content_type=TEXT)
        return as_file(proof, f"{self.subject.uuid}.tlog-proof", recorded=None)


class EventContent(EventPage):
    """The content that the proof covers."""

    def show(self, *, status: int = 200) -> HttpResponse:
        """Return the content as a file, and record the export."""
        event: Event = self.subject
        recorded = record_export(
            by=self.person, what="an event", format="JSON", filters={"event": str(event.uuid)}
        )
        line = HttpResponse(event_line(leaf_of(event)), content_type=f"application/json; {UTF_8}")
        return as_file(line, f"{event.uuid}.json", recorded=recorded)


class ExportEvents(Page):
    """An export of the filtered log; the export is an event itself."""

    permission = Action.EXPORT_EVENTS

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        return redirect("events")

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Export the events that the filters in the address choose; all without filters."""
        filters = EventFilters(request.GET, readable_events(asked(request).memberships))
        if not filters.is_valid():
            return HttpResponseBadRequest("These filters are not valid. Choose them on the list.")
        chosen = filters.describe()
        recorded, lines = export_log(
            by=self.person, events=filters.qs if chosen else None, asked=chosen
        )
        export = StreamingHttpResponse(lines, content_type="application/jsonl")
        return as_file(export, "events.jsonl" if chosen else "event-log.jsonl", recorded=recorded)


@require_safe
def key(_: HttpRequest) -> HttpResponse:
    """Publish the public keys, one per line: current keys, then retired ones with last size."""
    lines = [f"{one} {one.until}" if one.until is not None else str(one) for one in trusted_keys()]
    return HttpResponse("\n".join([*lines, ""]), content_type=TEXT)


def _publish(found: Checkpoint | None) -> HttpResponse:
    if found is None:
        raise Http404
    answer = HttpResponse(cosigned_note(found), content_type=TEXT)
    answer["Cache-Control"] = "no-cache"
    return answer


@require_safe
def checkpoint(_: HttpRequest) -> HttpResponse:
    """Publish the newest checkpoint, with the cosignatures on file."""
    return _publish(newest_checkpoint())


@require_safe
def cosigned(_: HttpRequest) -> HttpResponse:
    """Publish the newest checkpoint that enough witnesses cosigned."""
    return _publish(newest_cosigned())


@require_safe
def to_cosign(_: HttpRequest) -> HttpResponse:
    """Publish the checkpoint that witnesses cosign now."""
    return _publish(checkpoint_to_cosign())


@csrf_exempt  # witnesses have no session: their signatures identify them
@require_POST
def cosignatures(request: HttpRequest) -> HttpResponse:
    """Receive a checkpoint that a witness cosigned."""
    if int(request.headers.get("Content-Length") or 0) > LONGEST:
        text = f"A cosigned checkpoint has at most {LONGEST} bytes.\n"
        return HttpResponse(text, status=413, content_type=TEXT)
    try:
        names = receive(request.body.decode())
    except UnicodeDecodeError:
        return HttpResponse("A checkpoint is text in UTF-8.\n", status=422, content_type=TEXT)
    except RefusedError as refused:
        return HttpResponse(f"{refused}\n", status=422, content_type=TEXT)
    return HttpResponse(f"Received from {', '.join(sorted(names))}.\n", content_type=TEXT)


@require_safe
def tile(_: HttpRequest, level: int, number: str) -> HttpResponse:
    """Publish up to 256 hashes of the log's tree (C2SP `tlog-tiles`).

    Entries aren't published: events are for those who may read them.
    """
    found = TILE.fullmatch(number)
    newest = newest_checkpoint()
    if found is None or newest is None or level > MOST_LEVELS:
        raise Http404
    index = int("".join(character for character in found["index"] if character.isdigit()))
    width = int(found["width"] or TILE_WIDTH)
    if (index * TILE_WIDTH + width) << (TILE_HEIGHT * level) > newest.size:
        raise Http404
    hashes = StoredTiles().tile(level, index)[:width]
    answer = HttpResponse(b"".join(hashes), content_type="application/octet-stream")
    answer["Cache-Control"] = "public, max-age=31536000, immutable"
    return answer


@require_safe
def consistency(request: HttpRequest) -> HttpResponse:
    """Prove that the log of `new` events continues the log of `old`."""
    newest = newest_checkpoint()
    size = newest.size if newest is not None else 0
    old, new = request.GET.get("old", ""), request.GET.get("new", "")
    if not all(
        text.isascii() and text.isdigit() and len(text) < len("1" * 16) for text in (old, new)
    ):
        return HttpResponseBadRequest(
            "Write two sizes, as in ?old=100&new=200.\n", content_type=TEXT
        )
    if not int(old) <= int(new) <= size:
        return HttpResponseBadRequest(
            f"The log has {size} events; old is at most new, and new at most {size}.\n",
            content_type=TEXT,
        )
    return HttpResponse(consistency_proof(int(old), int(new)), content_type=TEXT)


@require_safe
def witness_program(_: HttpRequest) -> HttpResponse:
    """Download the witness: one file that Python runs, with the verifier in it."""
    return as_file(
        HttpResponse(build_witness(), content_type="application/zip"), "witness.pyz", recorded=None
    )


def build_script() -> str:
    """Return the verifier as one file, with the modules that it runs in it."""
    script = Path(verifier.__file__).read_text()
    head, _, main = script.rpartition("\n\nif __name__ ==")
    more = "\n".join(
        Path(str(module.__file__)).read_text().partition(module.JOINED)[2]
        for module in (signatures, verifier_export, verifier_pdf)
    )
    return f"{head}\n\nimport re  # noqa: E402\n{more}\n\nif __name__ =={main}"


@require_safe
def verifier_script(_: HttpRequest) -> HttpResponse:
    """Download the script that checks everything offline."""
    return as_file(HttpResponse(build_script(), content_type=TEXT), "verifier.py", recorded=None)
