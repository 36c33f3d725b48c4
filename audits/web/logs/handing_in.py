"""Handing in a round log in the browser: in pieces by a script, or whole without one."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from audits.models import HandIn
from audits.services.hand_in import (
    abandon_hand_in,
    begin_hand_in,
    finish_hand_in,
    hand_in_whole,
)
from audits.services.pieces import PIECE, add_piece
from audits.web.logs.forms import BeginForm, HandInForm
from compliance.choices import OPERATOR_KINDS
from compliance.models import Party
from compliance.permissions import Action
from compliance.services.refused import RefusedError
from compliance.web.acting import accepted, allows, person_of, require_sight

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def hand_in(request: HttpRequest) -> HttpResponse:
    """Choose a file; a script sends it in pieces, a browser without one sends it as a whole."""
    require_sight(request, Action.HAND_IN_ROUNDS)
    operators = _operators(request)
    if request.method != "POST":
        form = HandInForm(operators)
        form.initial["corrects"] = request.GET.get("corrects", "")
        return _form(request, form)
    form = HandInForm(operators, request.POST, request.FILES)

    def act(said: dict[str, Any]) -> HandIn:
        return hand_in_whole(
            party=said["party"],
            name=said["file"].name,
            content=said["file"].file,
            corrects=said["log"],
            reason=said["reason"],
            by=person_of(request),
        )

    taken = accepted(form, act)
    if taken is None:
        return _form(request, form, status=422)
    return redirect("hand_in_run", uuid=taken.uuid)


@login_required
@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Begin to send a file in pieces: where the pieces go."""
    require_sight(request, Action.HAND_IN_ROUNDS)
    form = BeginForm(_operators(request), request.POST)

    def act(said: dict[str, Any]) -> HandIn:
        return begin_hand_in(
            party=said["party"],
            name=said["name"],
            size=said["size"],
            corrects=said["log"],
            reason=said["reason"],
            by=person_of(request),
        )

    begun = accepted(form, act)
    if begun is None:
        says = [str(each) for field in form.errors.values() for each in field]
        return _refused(" ".join(says))
    return JsonResponse(_told(begun), status=HTTPStatus.CREATED)


@login_required
@require_safe
def run(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """How far a file came; once it is on file, its receipt."""
    found = _hand_in(request, uuid, Action.SEE_ROUNDS)
    if found.state == HandIn.State.REGISTERED and found.log is not None:
        receipt = reverse("round_log", args=[found.log.uuid])
        asked_by_script = request.headers.get("HX-Request") == "true"
        return HttpResponseClientRedirect(receipt) if asked_by_script else redirect(receipt)
    context = {
        "hand_in": found,
        "may": allows(request, Action.HAND_IN_ROUNDS, found.party),
        "moving": found.state in {HandIn.State.WAITING, HandIn.State.READING},
        "still": "still" in request.GET,
        "piece": PIECE,
    }
    return render(request, "audits/logs/run.html", context)


@login_required
@require_safe
def pieces(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """What has arrived: for a script that goes on where it was."""
    return JsonResponse(_told(_hand_in(request, uuid, Action.HAND_IN_ROUNDS)))


@login_required
@require_POST
def piece(request: HttpRequest, uuid: UUID, number: int) -> HttpResponse:
    """Take one piece, the request's whole body, under the digest in `Piece-SHA256`."""
    found = _hand_in(request, uuid, Action.HAND_IN_ROUNDS)
    content = request.read(PIECE + 1)
    try:
        kept = add_piece(
            hand_in=found,
            number=number,
            sha256=request.headers.get("Piece-SHA256", "").lower(),
            content=content,
        )
    except RefusedError as refused:
        return _refused(str(refused), HTTPStatus.CONFLICT)
    return JsonResponse({"received": kept.received, "size": kept.size})


@login_required
@require_POST
def finish(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Say that all was sent; the answer comes at once, the work is done in the background."""
    found = _hand_in(request, uuid, Action.HAND_IN_ROUNDS)
    try:
        finish_hand_in(hand_in=found, sha256=request.POST.get("sha256", ""), by=person_of(request))
    except RefusedError as refused:
        return _refused(str(refused), HTTPStatus.CONFLICT)
    return JsonResponse(_told(found))


@login_required
@require_POST
def give_up(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Give up a file that has not arrived as a whole."""
    found = _hand_in(request, uuid, Action.HAND_IN_ROUNDS)
    try:
        abandon_hand_in(hand_in=found, by=person_of(request))
    except RefusedError as refused:
        messages.error(request, str(refused))
    return redirect("hand_in_run", uuid=uuid)


def _operators(request: HttpRequest) -> dict[str, Party]:
    return {
        each.code: each
        for each in Party.objects.filter(kind__in=OPERATOR_KINDS)
        if allows(request, Action.HAND_IN_ROUNDS, each)
    }


def _hand_in(request: HttpRequest, uuid: UUID, action: Action) -> HandIn:
    found = get_object_or_404(
        HandIn.objects.select_related("party", "log", "by", "key", "corrects"), uuid=uuid
    )
    require_sight(request, action, found.party)
    return found


def _told(hand_in: HandIn) -> dict[str, Any]:
    where = {"uuid": hand_in.uuid}
    return {
        "name": hand_in.name,
        "size": hand_in.size,
        "piece": PIECE,
        "pieces": list(hand_in.pieces.order_by("number").values_list("sha256", flat=True)),
        "page": reverse("hand_in_run", kwargs=where),
        "send": reverse("hand_in_pieces", kwargs=where),
        "finish": reverse("finish_hand_in", kwargs=where),
    }


def _refused(why: str, status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY) -> HttpResponse:
    return JsonResponse({"error": why}, status=status)


def _form(request: HttpRequest, form: HandInForm, status: int = 200) -> HttpResponse:
    return render(request, "audits/logs/hand_in.html", {"form": form}, status=status)
