"""Pages to submit round logs, list them, and show their receipts and files."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from audits.intake.columns import MissingTable, TableRoundsTable
from audits.intake.forms import AboutForm, IdForm, SubmissionForm, UploadForm
from audits.intake.models import PIECE, RoundLog, Submission
from audits.intake.reads import submissions_under_way
from audits.intake.receipts import (
    proof_of,
    receipt_of,
    record_evidence_export,
    record_rejected_export,
)
from audits.intake.rounds import line_as_submitted
from audits.intake.submission import (
    abandon_submission,
    add_piece,
    begin_submission,
    finish_submission,
    submit_whole,
)
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.access.reads import name_of_asker
from compliance.errors import RefusedError
from compliance.files.downloads import as_file, from_archive
from compliance.ui.access import allows
from compliance.ui.filters import with_names
from compliance.ui.pages import ActionPage, ListPage, Page
from compliance.ui.tables import CountColumn, ListTable, WhenColumn

if TYPE_CHECKING:
    from django import forms
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from django.utils.safestring import SafeString


BYTES = "application/octet-stream"
MOST_UNDER_WAY = 20
State = Submission.State


class LogTable(ListTable):
    """Round logs, newest first."""

    at = WhenColumn(verbose_name="On file since", linkify=("round_log", {"uuid": tables.A("uuid")}))
    party = tables.Column(verbose_name="Operator", order_by="party__name")
    name = tables.Column(verbose_name="File")
    first_at = WhenColumn(verbose_name="First round")
    good = CountColumn(verbose_name="Rounds")
    rejected = CountColumn()
    already = CountColumn(verbose_name="Known before")
    caption = "Round logs on file"

    class Meta:
        orderable = True


class RejectedTable(ListTable):
    """Examples of rejected lines with one cause."""

    line = CountColumn(linkify=lambda record: record["address"])
    round = tables.Column()
    table = tables.Column()
    field = tables.Column()
    reason = tables.Column(verbose_name="Why")

    def render_reason(self, value: str) -> SafeString:
        return with_names(value)


class LogList(ListPage):
    """Submitted logs, and submissions in progress."""

    permission = Action.SEE_ROUNDS
    template_name = "audits/logs/rounds.html"
    table_class = LogTable
    by = None

    def get_rows(self) -> QuerySet[RoundLog]:
        return RoundLog.objects.select_related("party").order_by("-at", "-pk")

    def get_context(self) -> dict[str, Any]:
        """Add submissions in progress, and the search for a round."""
        under_way = list(submissions_under_way()[: MOST_UNDER_WAY + 1])
        return super().get_context() | {
            "under_way": under_way[:MOST_UNDER_WAY],
            "more": len(under_way) > MOST_UNDER_WAY,
            "submits": self.allows(Action.SUBMIT_ROUNDS),
            "find": IdForm(),
        }


class Receipt(Page):
    """A log's receipt: digest, arrival time, accepted rounds and place in the event log."""

    permission = Action.SEE_ROUNDS
    template_name = "audits/logs/receipt.html"

    def get_subject(self) -> RoundLog:
        logs = RoundLog.objects.select_related("party", "corrects", "mapping")
        return get_object_or_404(logs, uuid=self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        """Collect its place in the event log, its corrections and its rejected lines."""
        log: RoundLog = self.subject
        causes = [
            {
                "reason": cause.reason,
                "count": cause.count,
                "table": RejectedTable(
                    [
                        {**each, "address": reverse("log_line", args=[log.uuid, each["line"]])}
                        for each in cause.examples
                    ]
                ),
            }
            for cause in log.rejected_causes.all()
        ]
        return {
            "log": log,
            "receipt": receipt_of(log),
            "tables": TableRoundsTable(log.totals.get("tables", [])) if log.totals else None,
            "missing": MissingTable(log.totals.get("missing", [])),
            "by": name_of_asker(log.by),
            "causes": causes,
            "corrections": log.corrections.order_by("at"),
            "submits": self.allows(Action.SUBMIT_ROUNDS),
        }


class ReceiptProof(Receipt):
    """The proof that the event log contains the registration."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        log: RoundLog = self.subject
        answer = HttpResponse(proof_of(log), content_type="text/plain; charset=utf-8")
        return as_file(answer, f"log-{log.sha256[:12]}.tlog-proof", recorded=None)


class RejectedLines(Receipt):
    """Every rejected line of a log, as JSON Lines."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponseBase:  # type: ignore[override]
        log: RoundLog = self.subject
        if not log.rejected_file:
            raise Http404
        recorded = record_rejected_export(log=log, by=self.person)
        answer = from_archive(log.rejected_file, BYTES)
        return as_file(answer, f"rejected-{log.sha256[:12]}.jsonl", recorded=recorded)


class Evidence(Receipt):
    """The file as submitted, byte for byte."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponseBase:  # type: ignore[override]
        log: RoundLog = self.subject
        recorded = record_evidence_export(log=log, by=self.person)
        return as_file(from_archive(log.sha256, BYTES), log.name, recorded=recorded)


class LogLine(Receipt):
    """One line of a log as submitted, byte for byte."""

    template_name = "audits/logs/line.html"

    def get_context(self) -> dict[str, Any]:
        log, number = self.subject, self.kwargs["number"]
        if not 1 <= number <= log.lines:
            raise Http404
        text = line_as_submitted(log, number).decode(errors="backslashreplace")
        return {"log": log, "number": number, "text": text}


class SubmitLog(ActionPage):
    """Submit a file: a script uploads it in pieces, a browser without scripts as a whole."""

    permission = Action.SUBMIT_ROUNDS
    template_name = "audits/logs/submission.html"
    about_form: type[AboutForm] = SubmissionForm

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        operators = Party.objects.filter(kind__in=OPERATOR_KINDS)
        own = [e.pk for e in operators if allows(self.request, Action.SUBMIT_ROUNDS, e)]
        form = self.about_form(operators.filter(pk__in=own), data, files)
        for name in ("corrects", "mapping"):
            form.initial[name] = self.request.GET.get(name, "")
        return form

    def act(self, data: dict[str, Any]) -> Submission:
        return submit_whole(
            party=data["operator"],
            name=data["file"].name,
            content=data["file"].file,
            corrects=data["log"],
            reason=data["reason"],
            mapping=data["mapping"],
            by=self.person,
        )

    def get_success_url(self, result: Submission) -> str:
        return resolve_url("submission_run", uuid=result.uuid)


class BeginUpload(SubmitLog):
    """Begin an upload in pieces, and say where to send them."""

    about_form = UploadForm

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Reject: only a script uses this address."""
        return self.http_method_not_allowed(request)

    def act(self, data: dict[str, Any]) -> Submission:
        return begin_submission(
            party=data["operator"],
            name=data["name"],
            size=data["size"],
            corrects=data["log"],
            reason=data["reason"],
            mapping=data["mapping"],
            by=self.person,
        )

    def respond(self, result: Submission) -> HttpResponse:
        return JsonResponse(describe_upload(result), status=HTTPStatus.CREATED)

    def show_refused(self, form: forms.Form) -> HttpResponse:
        """Say why not."""
        return _refused(" ".join(str(each) for field in form.errors.values() for each in field))


class SubmissionPage(Page):
    """The progress of a submission, which leads to the receipt once the log is on file."""

    permission = Action.SEE_ROUNDS
    template_name = "audits/logs/run.html"

    def get_subject(self) -> Submission:
        found = Submission.objects.select_related("party", "log", "by", "key", "corrects")
        return get_object_or_404(found, uuid=self.kwargs["uuid"])

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the progress, or go to the receipt."""
        submission: Submission = self.subject
        if submission.state != State.REGISTERED or submission.log is None:
            return self.show()
        receipt = reverse("round_log", args=[submission.log.uuid])
        is_script = request.headers.get("HX-Request") == "true"
        return HttpResponseClientRedirect(receipt) if is_script else redirect(receipt)

    def get_context(self) -> dict[str, Any]:
        """Say whether it moves, and whether the user may go on with it."""
        return {
            "submission": self.subject,
            "may": self.allows(Action.SUBMIT_ROUNDS),
            "moving": self.subject.state in {State.WAITING, State.READING},
            "still": "still" in self.request.GET,
            "piece": PIECE,
        }


class UploadState(SubmissionPage):
    """What has arrived, for a script that resumes its upload."""

    permission = Action.SUBMIT_ROUNDS

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        return JsonResponse(describe_upload(self.subject))


class UploadStep(SubmissionPage):
    """A step of an upload by a script."""

    permission = Action.SUBMIT_ROUNDS
    http_method_names = ("post", "options")

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Do it, or say why not."""
        try:
            return JsonResponse(self.step(request))
        except RefusedError as refused:
            return _refused(str(refused), HTTPStatus.CONFLICT)

    def step(self, request: HttpRequest) -> dict[str, Any]:
        """Do it, and return the state of the upload."""
        raise NotImplementedError


class UploadPiece(UploadStep):
    """One piece: the whole request body, with its digest in `Piece-SHA256`."""

    def step(self, request: HttpRequest) -> dict[str, Any]:
        """Keep the piece."""
        kept = add_piece(
            submission=self.subject,
            number=self.kwargs["number"],
            sha256=request.headers.get("Piece-SHA256", "").lower(),
            content=request.read(PIECE + 1),
        )
        return {"received": kept.received, "size": kept.size}


class FinishUpload(UploadStep):
    """The end of an upload; the log is read in the background."""

    def step(self, request: HttpRequest) -> dict[str, Any]:
        """Finish it."""
        sha256 = request.POST.get("sha256", "")
        finish_submission(submission=self.subject, sha256=sha256, by=self.person)
        return describe_upload(self.subject)


class AbandonSubmission(ActionPage):
    """Abandon a file that has not arrived completely."""

    permission = Action.SUBMIT_ROUNDS
    get_subject = SubmissionPage.get_subject

    def act(self, data: dict[str, Any]) -> None:
        abandon_submission(submission=self.subject, by=self.person)

    def get_page_url(self) -> str:
        return resolve_url("submission_run", uuid=self.kwargs["uuid"])


def describe_upload(submission: Submission) -> dict[str, Any]:
    """Return what a script needs to send the pieces that are missing."""
    where = {"uuid": submission.uuid}
    return {
        "name": submission.name,
        "size": submission.size,
        "piece": PIECE,
        "pieces": list(submission.pieces.order_by("number").values_list("sha256", flat=True)),
        "page": reverse("submission_run", kwargs=where),
        "send": reverse("submission_pieces", kwargs=where),
        "finish": reverse("finish_submission", kwargs=where),
    }


def _refused(why: str, status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY) -> HttpResponse:
    return JsonResponse({"error": why}, status=status)
