"""Round logs on file: the list, a log's receipt and its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import django_tables2 as tables
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from audits.models import RoundLog
from audits.selectors.round_logs import hand_ins_under_way
from audits.selectors.rounds import line_as_handed_in
from audits.services.receipts import note_reading, proof_of, receipt_of
from audits.web.rounds.forms import IdForm
from audits.web.rounds.times import InstantColumn
from compliance.file_answers import as_file, from_archive
from compliance.permissions import Action
from compliance.selectors.people import name_of_asker
from compliance.web.acting import allows, person_of, require_sight
from compliance.web.lists import paged

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

BYTES = "application/octet-stream"
AMOUNT = {"td": {"class": "amount"}, "th": {"class": "amount"}}


class RoundLogs(tables.Table):  # type: ignore[misc]
    """Round logs, the newest first."""

    at = tables.DateTimeColumn(
        verbose_name="On file since",
        format="M j, Y, g:i A",
        linkify=("round_log", {"uuid": tables.A("uuid")}),
    )
    party = tables.Column(verbose_name="Operator", order_by="party__name")
    name = tables.Column(verbose_name="File")
    first_at = InstantColumn(verbose_name="First round", form="M j, Y, g:i A")
    good = tables.Column(verbose_name="Rounds", attrs=AMOUNT)
    rejected = tables.Column(attrs=AMOUNT)
    already = tables.Column(verbose_name="Known before", attrs=AMOUNT)
    caption = "Round logs on file"

    class Meta:
        empty_text = "No round log is on file here."

    def render_good(self, value: int) -> str:
        """With its thousands apart."""
        return f"{value:,}"

    def render_rejected(self, value: int) -> str:
        """With its thousands apart."""
        return f"{value:,}"

    def render_already(self, value: int) -> str:
        """With its thousands apart."""
        return f"{value:,}"


@login_required
@require_safe
def rounds(request: HttpRequest) -> HttpResponse:
    """What was handed in, and what is on its way."""
    require_sight(request, Action.SEE_ROUNDS)
    logs = RoundLog.objects.select_related("party").order_by("-at", "-pk")
    context = {
        "under_way": hand_ins_under_way()[:20],
        "table": paged(request, RoundLogs(logs)),
        "hands_in": allows(request, Action.HAND_IN_ROUNDS),
        "find": IdForm(),
    }
    return render(request, "audits/logs/rounds.html", context)


@login_required
@require_safe
def receipt(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The receipt of a log: its digest, when it came, what was taken, and its place in the log."""
    log = _log(request, uuid)
    context = {
        "log": log,
        "receipt": receipt_of(log),
        "by": name_of_asker(log.by),
        "causes": log.rejected_causes.all(),
        "corrections": log.corrections.order_by("at"),
        "days": sorted({(each.day, each.game, each.rounds) for each in log.segments.all()}),
        "hands_in": allows(request, Action.HAND_IN_ROUNDS, log.party),
    }
    return render(request, "audits/logs/receipt.html", context)


@login_required
@require_safe
def proof(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The proof that the event log holds the registration, as a file."""
    log = _log(request, uuid)
    answer = HttpResponse(proof_of(log), content_type="text/plain; charset=utf-8")
    return as_file(answer, f"log-{log.sha256[:12]}.tlog-proof")


@login_required
@require_safe
def rejected(request: HttpRequest, uuid: UUID) -> HttpResponseBase:
    """Every rejected line of a log, as JSON Lines."""
    log = _log(request, uuid)
    if not log.rejected_file:
        raise Http404
    note_reading(log=log, what="the rejected lines", by=person_of(request))
    return as_file(from_archive(log.rejected_file, BYTES), f"rejected-{log.sha256[:12]}.jsonl")


@login_required
@require_safe
def evidence(request: HttpRequest, uuid: UUID) -> HttpResponseBase:
    """The file as it was handed in, byte for byte."""
    log = _log(request, uuid)
    note_reading(log=log, what="the evidence", by=person_of(request))
    return as_file(from_archive(log.sha256, BYTES), log.name)


@login_required
@require_safe
def line(request: HttpRequest, uuid: UUID, number: int) -> HttpResponse:
    """One line of a log as it was handed in, byte for byte."""
    log = _log(request, uuid)
    if not 1 <= number <= log.lines:
        raise Http404
    text = line_as_handed_in(log, number).decode(errors="backslashreplace")
    context = {"log": log, "number": number, "text": text}
    return render(request, "audits/logs/line.html", context)


def _log(request: HttpRequest, uuid: UUID) -> RoundLog:
    log = get_object_or_404(RoundLog.objects.select_related("party", "corrects"), uuid=uuid)
    require_sight(request, Action.SEE_ROUNDS, log.party)
    return log
