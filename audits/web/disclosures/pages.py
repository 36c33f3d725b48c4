"""Own disclosures as operators make them, and as the commission reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from audits.models import Case, CaseItem, Disclosure
from audits.services.disclosures import disclose, put_into_case
from compliance.choices import OPERATOR_KINDS
from compliance.models import Party
from compliance.permissions import Action
from compliance.selectors.documents import papers_named
from compliance.selectors.people import name_of_asker
from compliance.services.received import received
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.documents.forms import PapersField
from compliance.web.fields import DayField, LongField, NameField
from compliance.web.keyset import cut

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse


class Disclosures(tables.Table):  # type: ignore[misc]
    """Disclosures, the newest first."""

    day = tables.DateColumn(
        verbose_name="Gambling day",
        format="M j, Y",
        linkify=("disclosure", {"uuid": tables.A("uuid")}),
    )
    party = tables.Column(verbose_name="Operator")
    table = tables.Column()
    facts = tables.Column(verbose_name="What happened")
    at = tables.DateTimeColumn(verbose_name="Reported", format="M j, Y, g:i A")
    caption = "Own disclosures"

    class Meta:
        orderable = False

    def render_facts(self, value: str) -> str:
        """The first words of it."""
        return value if len(value) <= 120 else f"{value[:119]}…"


class DisclosureForm(forms.Form):
    """What happened, where, and what was done about it."""

    operator = forms.TypedChoiceField()
    day = DayField(label="Gambling day", help_text="The day on which it happened.")
    table = NameField(required=False, max_length=32)
    round = NameField(
        required=False, max_length=64, help_text="The number it has in the log, as T3-000123."
    )
    facts = LongField(label="What happened", rows=6)
    done = LongField(label="What you have done about it", required=False, rows=3)
    papers = PapersField(required=False)

    def __init__(self, known: dict[str, Party], data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        field = self.fields["operator"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
        field.choices = [(code, party.name) for code, party in known.items()]
        field.coerce = known.__getitem__

    def clean_papers(self) -> list[Any]:
        """Only files that were sent."""
        return [each for each in self.cleaned_data["papers"] or () if each is not None]


class CaseForm(forms.Form):
    """Into which case."""

    case = forms.TypedChoiceField()

    def __init__(self, cases: list[Case], data: Any = None) -> None:
        super().__init__(data)
        known = {str(each.uuid): each for each in cases}
        field = self.fields["case"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
        field.choices = [(uuid, f"{each}: {each.title}") for uuid, each in known.items()]
        field.coerce = known.__getitem__


@login_required
@require_safe
def disclosures(request: HttpRequest) -> HttpResponse:
    """What was disclosed: one's own, or of every operator."""
    require_sight(request, Action.SEE_DISCLOSURES)
    page = cut(request, Disclosure.objects.select_related("party"))
    context = {
        "cut": page,
        "table": Disclosures(page.rows),
        "discloses": allows(request, Action.DISCLOSE),
    }
    return render(request, "audits/disclosures/disclosures.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Report an irregularity."""
    require_sight(request, Action.DISCLOSE)
    known = {
        each.code: each
        for each in Party.objects.filter(kind__in=OPERATOR_KINDS)
        if allows(request, Action.DISCLOSE, each)
    }
    if request.method != "POST":
        form = DisclosureForm(known)
        return render(request, "audits/disclosures/new.html", {"form": form})
    form = DisclosureForm(known, request.POST, request.FILES)

    def act(said: dict[str, Any]) -> Disclosure:
        sent = said.pop("papers")
        with received(sent) as papers:
            return disclose(
                party=said.pop("operator"), papers=papers, by=person_of(request), **said
            )

    made = accepted(form, act)
    if made is None:
        return render(request, "audits/disclosures/new.html", {"form": form}, status=422)
    messages.success(request, "It is on file, and before the commission.", extra_tags="disclosure")
    return redirect("disclosure", uuid=made.uuid)


@login_required
@require_safe
def one(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One disclosure as it was made; to the commission also the cases it lies in."""
    found = _found(request, uuid, Action.SEE_DISCLOSURES)
    return _page(request, found)


@login_required
@require_POST
def into_case(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Put it into a case."""
    found = _found(request, uuid, Action.KEEP_CASES)
    form = CaseForm(_open_cases(found), request.POST)

    def act(said: dict[str, Any]) -> CaseItem:
        return put_into_case(disclosure=found, case=said["case"], by=person_of(request))

    item = accepted(form, act)
    if item is None:
        return _page(request, found, form, status=422)
    messages.success(request, "It is in the case.")
    return redirect("case", uuid=item.case.uuid)


def _found(request: HttpRequest, uuid: UUID, action: Action) -> Disclosure:
    found = get_object_or_404(Disclosure.objects.select_related("party"), uuid=uuid)
    require_sight(request, action, found.party)
    return found


def _open_cases(found: Disclosure) -> list[Case]:
    return list(Case.objects.filter(party=found.party_id, state=Case.State.OPEN))


def _page(
    request: HttpRequest, found: Disclosure, form: CaseForm | None = None, status: int = 200
) -> HttpResponse:
    keeps = allows(request, Action.KEEP_CASES, found.party)
    cases = _open_cases(found) if keeps else []
    context = {
        "disclosure": found,
        "by": name_of_asker(found.by),
        "papers": papers_named(found.papers.all()).get(found.pk, []),
        "keeps": keeps,
        "form": form or (CaseForm(cases) if cases else None),
    }
    return render(request, "audits/disclosures/disclosure.html", context, status=status)
