"""Requests for approval: the list, a new one, and one with the steps open to whoever asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from compliance.choices import PartyKind
from compliance.models import Approval, GameRequest, Party, Person, RuleVersion
from compliance.permissions import Action
from compliance.request_steps import STEPS, steps_from, what_comes_next
from compliance.selectors.checklist import checklist_of
from compliance.selectors.games import approved_rule_versions, papers_of
from compliance.selectors.remarks import why_it_stands
from compliance.services.checklist import tick_checklist
from compliance.services.requests import comment_on, is_own, replaceable, submit_request
from compliance.state import state_digest
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.comments import SectionForm
from compliance.web.lists import paged
from compliance.web.requests.checklist import ChecklistForm, checklist_context
from compliance.web.requests.conditions import condition_rows, withdrawal_forms
from compliance.web.requests.steps import (
    APPROVING,
    form_of,
    party_of,
    speaks_for,
    take,
)
from compliance.web.requests.told import shown, told
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse


SAYS_WHY = {GameRequest.State.INCOMPLETE, GameRequest.State.CLOSED}
"""Where the reason of the last step is written to whoever asked."""


class Requests(tables.Table):  # type: ignore[misc]
    """Requests, the newest first."""

    rules = tables.Column(
        accessor="rule_version",
        order_by="rule_version__game__name",
        linkify=("request", {"uuid": tables.A("uuid")}),
    )
    path = tables.Column(accessor="get_path_display", order_by="path")
    asked_by = tables.Column(order_by="asked_by__name")
    state = tables.Column(accessor="get_state_display", order_by="state")
    due = tables.DateColumn(format="N j, Y", verbose_name="What is missing is due")
    caption = "Requests"

    class Meta:
        empty_text = "Nothing has been asked for."


class StateForm(forms.Form):
    """Which requests to show."""

    state = forms.ChoiceField(
        choices=[("", "Every state"), *GameRequest.State.choices], required=False
    )


class AskForm(forms.Form):
    """What is asked for, on which path, by whom."""

    path = forms.ChoiceField(choices=GameRequest.Path.choices)
    asked_by = forms.ChoiceField(label="Asked by")
    rule_version = forms.ChoiceField(label="Rules of play")
    replaces = forms.BooleanField(
        label="Take back what was asked for of an earlier version of this game",
        help_text="The commission then reviews this version alone.",
        required=False,
        initial=True,
    )

    def __init__(
        self,
        parties: dict[str, Party],
        versions: dict[str, RuleVersion],
        data: object = None,
        *,
        replaces: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(data, **more)  # type: ignore[arg-type]
        chosen = {
            "path": [(path.value, path.label) for path in _paths(parties.values())],
            "asked_by": [(code, party.name) for code, party in parties.items()],
            "rule_version": [(uuid, str(version)) for uuid, version in versions.items()],
        }
        for name, choices in chosen.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101
            field.choices = choices
            if name != "rule_version" and len(choices) == 1:
                field.widget = forms.HiddenInput()
                field.initial = choices[0][0]
        if not replaces:
            del self.fields["replaces"]


@login_required
@require_safe
def requests(request: HttpRequest) -> HttpResponse:
    """The requests one may see."""
    require_sight(request, Action.SEE_FILINGS)
    found = GameRequest.objects.select_related("rule_version__game", "asked_by")
    form = StateForm(request.GET)
    if form.is_valid() and form.cleaned_data["state"]:
        found = found.filter(state=form.cleaned_data["state"])
    context = {
        "form": form,
        "table": paged(request, Requests(found)),
        "asks": allows(request, Action.REQUEST_APPROVAL),
    }
    return render(request, "requests/requests.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest) -> HttpResponse:
    """Ask for approval of a rule version, on either path."""
    require_sight(request, Action.REQUEST_APPROVAL)
    parties = {
        each.code: each
        for each in Party.objects.exclude(kind=PartyKind.TRIBAL_AGENCY)
        if allows(request, Action.REQUEST_APPROVAL, each)
    }
    found = _askable(parties.values())
    versions = {str(each.uuid): each for each in found}
    sent = request.POST if request.method == "POST" else None
    chosen = [versions[uuid]] if (uuid := request.GET.get("rule_version")) in versions else found
    replaces = _replaceable(parties.values(), chosen)
    form = AskForm(parties, versions, sent, replaces=replaces, initial=request.GET.dict())
    made = None
    if form.is_bound:
        made = accepted(
            form,
            lambda said: submit_request(
                rule_version=versions[said["rule_version"]],
                path=GameRequest.Path(said["path"]),
                asked_by=parties[said["asked_by"]],
                by=person_of(request),
                replaces=said.get("replaces", False),
            ),
        )
    if made is None:
        context = {"form": form, "files": allows(request, Action.FILE_GAMES)}
        status = 422 if form.is_bound else 200
        return render(request, "requests/ask.html", context, status=status)
    messages.success(request, "The request is submitted.")
    return redirect("request", uuid=made.uuid)


@login_required
@require_safe
def one(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One request: what is asked for, what was decided and said, what can be done next."""
    return page(request, found_request(request, uuid))


@login_required
@require_POST
def step(request: HttpRequest, uuid: UUID, name: str) -> HttpResponse:
    """Take a step with a request."""
    found = found_request(request, uuid)
    party = party_of(STEPS[name], found)
    if party is None or not allows(request, STEPS[name].action, party):
        raise Http404
    form = form_of(name, found, request.POST)
    accepted(form, lambda _: take(name, found, form, person_of(request)))
    if form.errors:
        found.refresh_from_db()
        return page(request, found, {name: form}, status=422)
    messages.success(request, f"{found.rule_version}: {found.get_state_display().lower()}.")
    return redirect("request", uuid=found.uuid)


@login_required
@require_POST
def checklist(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Tick as the tribe's agency what a filing holds of what the compact asks for."""
    found = found_request(request, uuid)
    agency = found.asked_by.agency
    if agency is None or not allows(request, Action.DECIDE_AS_AGENCY, agency):
        raise Http404
    form = ChecklistForm(checklist_of(found), request.POST)
    accepted(form, lambda said: tick_checklist(request=found, by=person_of(request), **said))
    if form.errors:
        return page(request, found, {"checklist": form}, status=422)
    messages.success(request, "The checklist is on file.")
    return redirect("request", uuid=found.uuid)


@login_required
@require_POST
def comment(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Say something of a request."""
    found = found_request(request, uuid)
    party = speaks_for(found, asked(request).memberships)
    if party is None:
        raise Http404
    sections = [(each.key, each.heading) for each in told(found, ())]
    form = SectionForm(sections, {party, found.asked_by}, request.POST, prefix="comment")
    accepted(
        form,
        lambda said: comment_on(request=found, by=person_of(request), by_party=party, **said),
    )
    if form.errors:
        return page(request, found, {"comment": form}, status=422)
    messages.success(request, "The comment is on file.")
    return redirect("request", uuid=found.uuid)


def found_request(request: HttpRequest, uuid: UUID) -> GameRequest:
    """A request that whoever asks may see: their party's, or of an operation of their tribe."""
    require_sight(request, Action.SEE_FILINGS)
    return get_object_or_404(
        GameRequest.objects.select_related("rule_version__game", "asked_by__agency"), uuid=uuid
    )


def page(
    request: HttpRequest,
    found: GameRequest,
    sent: dict[str, forms.Form] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of a request, with the forms that were sent and refused."""
    sent = sent or {}
    version = found.rule_version
    digest = state_digest(version)
    approvals = list(
        Approval.objects.filter(subject=version.uuid, party=found.asked_by)
        .select_related("party", "by_party")
        .prefetch_related("conditions__marks", "conditions__answers", "withdrawals")
    )
    papers = papers_of(version)
    sections = told(found, approvals)
    denials = list(found.denials.all())
    names = _names([*approvals, *denials])
    reads_rules = settings.READING_ROOM and version in approved_rule_versions()
    sees_rules = RuleVersion.objects.filter(pk=version.pk).exists()
    speaker = speaks_for(found, asked(request).memberships)
    context = {
        "asked_for": found,
        "version": version,
        "sections": shown(found, sections, papers, reads=sees_rules or reads_rules),
        "papers_closed": not all(each.seen for each in papers),
        "reads_rules": reads_rules,
        "next": what_comes_next(found),
        "why": why_it_stands(found) if found.state in SAYS_WHY else "",
        "findings": list(version.findings.all()),
        "digest": digest,
        "steps": _steps(request, found, digest, sent),
        "comment": sent.get("comment")
        or (
            speaker
            and SectionForm(
                [(each.key, each.heading) for each in sections],
                {speaker, found.asked_by},
                prefix="comment",
                initial={"section": request.GET.get("section")},
            )
        ),
        "mends": _mends(request, found),
        "denials": [(each, names.get(each.by, "")) for each in denials],
        "checklist": checklist_context(request, found, sent),
        "approvals": [
            {
                "approval": each,
                "by": names.get(each.by, ""),
                "conditions": condition_rows(request, each, sent),
                "withdrawals": withdrawal_forms(request, each, sent),
            }
            for each in approvals
        ],
        "sees_rules": sees_rules,
    }
    return render(request, "requests/request.html", context, status=status)


def _mends(request: HttpRequest, found: GameRequest) -> bool:
    """Whether whoever asks may file a next version of the rules, to be asked for instead."""
    supplier = found.rule_version.game.supplier
    if supplier is None or found.asked_by != supplier or found.state not in STEPS["take_back"].of:
        return False
    return allows(request, Action.FILE_GAMES, supplier) and is_own(found, person_of(request))


def _replaceable(parties: Iterable[Party], versions: Iterable[RuleVersion]) -> bool:
    """Whether a version could take the place of what these parties have asked for."""
    earlier = {
        each.rule_version.game_id: each.rule_version.number
        for party in parties
        for path in GameRequest.Path
        for each in replaceable(path, party)
    }
    return any(earlier.get(each.game_id, each.number) < each.number for each in versions)


def _paths(parties: Iterable[Party]) -> list[GameRequest.Path]:
    """An operation of a tribe asks its agency, anybody else the commission."""
    tribal = {each.kind == PartyKind.TRIBAL_OPERATION for each in parties}
    paths = {False: GameRequest.Path.COMMERCIAL, True: GameRequest.Path.TRIBAL}
    return [path for is_tribal, path in paths.items() if is_tribal in tribal]


def _askable(parties: Iterable[Party]) -> list[RuleVersion]:
    """What these parties can ask for: their own or the commission's games; a tribe's, approved."""
    found: list[RuleVersion] = []
    paths = _paths(parties)
    if GameRequest.Path.COMMERCIAL in paths:
        codes = [each.pk for each in parties]
        own = Q(game__supplier__in=codes) | Q(game__supplier=None)
        found += RuleVersion.objects.filter(own).select_related("game")
    if GameRequest.Path.TRIBAL in paths:
        found += approved_rule_versions()
    return found


def _steps(
    request: HttpRequest, found: GameRequest, digest: str, sent: dict[str, forms.Form]
) -> list[dict[str, Any]]:
    """Exactly the steps that the state and the roles allow, and one that was just refused."""
    own = is_own(found, person_of(request))
    shown = []
    for name in STEPS:
        each = STEPS[name]
        party = party_of(each, found)
        open_now = (
            name in steps_from(found)
            and party is not None
            and allows(request, each.action, party)
            and each.is_for(own=own)
        )
        if open_now or name in sent:
            form = sent.get(name) or form_of(name, found, seen=digest)
            shown.append(
                {
                    "name": name,
                    "step": each,
                    "form": form,
                    "decides": name in APPROVING,
                    "url": f"request_{name}",
                }
            )
    return shown


def _names(rows: list[Any]) -> dict[UUID, str]:
    found = Person.objects.filter(uuid__in={each.by for each in rows})
    return {each.uuid: each.name for each in found}
