"""Restitution player by player: what is owed by released findings, and what the operator paid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_http_methods, require_safe

from audits.findings_in_words import name_in_words
from audits.models import GamblingDay, RestitutionPaper, RestitutionPayment
from audits.selectors.restitution_paid import ToPay, days_with_restitution, to_pay
from audits.services.restitution import confirm_restitution
from compliance import clock
from compliance.permissions import Action
from compliance.selectors.documents import papers_named
from compliance.services.received import received
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.documents.forms import PapersField
from compliance.web.fields import DayField, DollarsField, LongField
from compliance.web.lists import dollars

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

MOST_ROWS = 500
CHANGED = "What is left for this player has changed: look above whether it is confirmed already."
NOBODY = "No one player: a whole deal, or not named in the log"


class PaidForm(forms.Form):
    """To whom, how much, when, and what shows it."""

    row = forms.TypedChoiceField(label="Player and table")
    cents = DollarsField(label="Amount paid, in dollars")
    paid_on = DayField(label="Paid on")
    note = LongField(label="How it was paid", required=False, rows=2)
    papers = PapersField(required=False)

    def __init__(self, rows: list[ToPay], data: Any = None, files: Any = None, **more: Any) -> None:
        super().__init__(data, files, **more)
        known = {_key(row): row for row in rows if row.left}
        field = self.fields["row"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
        field.choices = [
            (key, f"{row.owed.player or NOBODY}, {row.owed.table}: {dollars(row.left)} left")
            for key, row in known.items()
        ]
        field.coerce = known.__getitem__
        field.error_messages["invalid_choice"] = CHANGED

    def clean_papers(self) -> list[Any]:
        """Only files that were sent."""
        return [each for each in self.cleaned_data["papers"] or () if each is not None]


@login_required
@require_safe
def days(request: HttpRequest) -> HttpResponse:
    """The days on which released findings paid players too little."""
    require_sight(request, Action.SEE_DISCLOSURES)
    rows = [
        {
            "day": each.day,
            "party": each.party,
            "owed": dollars(each.owed),
            "left": dollars(each.left),
            "due": each.due if each.left else None,
        }
        for each in days_with_restitution()[:MOST_ROWS]
    ]
    context = {"rows": rows, "today": clock.today()}
    return render(request, "audits/restitution/days.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def day(request: HttpRequest, code: str, day: str) -> HttpResponse:
    """One day: each player with what is left; the operator confirms what it paid."""
    kept = _day(request, code, day)
    rows = to_pay(kept.party, kept.day)[:MOST_ROWS]
    pays = allows(request, Action.CONFIRM_RESTITUTION, kept.party)
    if request.method != "POST":
        chosen = {"row": request.GET.get("row", "")}
        form = PaidForm(rows, initial=chosen) if pays and any(row.left for row in rows) else None
        return _page(request, kept, rows, form)
    require_sight(request, Action.CONFIRM_RESTITUTION, kept.party)
    form = PaidForm(rows, request.POST, request.FILES)

    def act(said: dict[str, Any]) -> RestitutionPayment:
        row = said.pop("row")
        with received(said.pop("papers")) as papers:
            return confirm_restitution(
                party=kept.party,
                owed=row.owed,
                left=row.left,
                papers=papers,
                by=person_of(request),
                **said,
            )

    paid = accepted(form, act)
    if paid is None:
        return _page(request, kept, rows, form, status=422)
    messages.success(request, f"{dollars(paid.cents)} is on file as paid.")
    return redirect("restitution", code=code, day=f"{kept.day:%Y-%m-%d}")


def _day(request: HttpRequest, code: str, day: str) -> GamblingDay:
    try:
        on = parse_date(day)
    except ValueError:
        on = None
    if on is None:
        raise Http404
    kept = get_object_or_404(GamblingDay.objects.select_related("party"), party__code=code, day=on)
    require_sight(request, Action.SEE_DISCLOSURES, kept.party)
    return kept


def _page(
    request: HttpRequest,
    kept: GamblingDay,
    rows: list[ToPay],
    form: PaidForm | None,
    status: int = 200,
) -> HttpResponse:
    papers = papers_named(
        RestitutionPaper.objects.filter(comment__party=kept.party, comment__day=kept.day)
    )
    context = {
        "kept": kept,
        "rows": [_told(row, papers) for row in rows],
        "owed": dollars(sum(row.owed.owed for row in rows)),
        "left": dollars(sum(row.left for row in rows)),
        "due": next(
            (
                each.due
                for each in days_with_restitution(kept.party)
                if each.day == kept.day and each.left
            ),
            None,
        ),
        "today": clock.today(),
        "form": form,
    }
    return render(request, "audits/restitution/day.html", context, status=status)


def _told(row: ToPay, papers: dict[int, list[Any]]) -> dict[str, Any]:
    return {
        "key": _key(row),
        "player": row.owed.player or NOBODY,
        "where": f"{name_in_words(row.owed.game)}, {row.owed.table}",
        "owed": dollars(row.owed.owed),
        "left": dollars(row.left),
        "open": bool(row.left),
        "payments": [(each, dollars(each.cents), papers.get(each.pk, [])) for each in row.payments],
    }


def _key(row: ToPay) -> str:
    """To whom, and what was left then: what is sent twice names the second time what is past."""
    return "|".join((row.owed.game, row.owed.table, row.owed.player, str(row.left)))
