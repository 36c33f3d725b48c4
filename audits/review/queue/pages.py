"""Pages of the queue: the list, actions on many issues, and cover."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from audits.commission import unit_of
from audits.replay.findings.models import Issue
from audits.review.cases.models import Case
from audits.review.issues.assignments import (
    arrange_cover,
    covers_of,
    end_cover,
    in_queues,
    progress_of,
    queues_of,
    reviewers,
)
from audits.review.issues.decisions import StepRequest
from audits.review.issues.exports import exported
from audits.review.issues.forms import NOBODY, GiveForm
from audits.review.issues.pages import IssuePage
from audits.review.issues.steps import CLOSED
from audits.review.queue import writes
from audits.review.queue.forms import (
    ALL,
    MINE,
    UNIT,
    CoverForm,
    QueueFilters,
    RemoveFilterForm,
    SaveFilterForm,
    StepOfManyForm,
    whose_of,
)
from audits.review.queue.order import annotated, group_of, grouped, order_of
from audits.review.queue.tables import CoverTable, OutcomeTable
from audits.review.queue.writes import filters_of, remove_filter, save_filter
from compliance.access.permissions import Action
from compliance.errors import RefusedError
from compliance.people.passkeys import ConfirmedMixin, PasskeyNeededError
from compliance.ui.lists import cut
from compliance.ui.pages import ActionPage, ListPage, Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    from audits.review.issues.models import Cover
    from audits.review.queue.models import SavedFilter
    from audits.review.queue.writes import Act, Outcome


LIST = "work"
LONGEST_QUERY = 2000


class QueueList(ListPage):
    """The queue: the list, and beside it the evidence on one issue and what can be done."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/queue/queue.html"
    filter_class = QueueFilters

    def get_rows(self) -> QuerySet[Issue]:
        return annotated(in_queues())

    def get_context(self) -> dict[str, Any]:
        """Show the list in its order and groups, the selected issue, and the saved filters."""
        person, asked = self.person, self.request.GET
        unit = unit_of(person)
        whose = whose_of(self.request, asked)
        assert self.filters is not None  # noqa: S101 - the class has filters
        found, narrowed = self.get_filtered(), self.filters.narrowed
        page = cut(self.request, found, by=order_of(asked))
        query = query_of(asked)
        selected = self._selected(page.rows)
        return {
            **(self._show_issue(selected, page.rows, query) if selected else {}),
            "filters": self.filters.form,
            "narrowed": narrowed,
            "left_out": self.filters.left_out,
            "not_searched": self.filters.not_searched,
            "filtered": bool(narrowed or asked.get("q")),
            "cut": page,
            "groups": grouped(page.rows, found, group_of(asked)),
            "count": found.count(),
            "whose": whose,
            "tabs": self._tabs(whose, reviews=self.allows(Action.REVIEW_FINDINGS)),
            "progress": progress_of(person, unit, queues_of(person)),
            "saved": [
                (each, each.person_id == person.pk) for each in filters_of(person, unit, LIST)
            ],
            "save": self.refused or SaveFilterForm(initial={"query": query}),
            "reviews": self.allows(Action.REVIEW_FINDINGS),
            "query": query,
            "as_round": urlencode({"id": asked.get("q", "")}),
        }

    def _selected(self, rows: Sequence[Issue]) -> Issue | None:
        """Return the issue that the address names, or else the first of the list."""
        named = self.request.GET.get("issue", "")
        with suppress(ValueError):
            chosen = Issue.objects.select_related("party__agency").filter(uuid=UUID(named)).first()
            if chosen is not None:
                return chosen
        return rows[0] if rows else None

    def _show_issue(self, issue: Issue, rows: Sequence[Issue], query: str) -> dict[str, Any]:
        """Return the evidence on an issue and its steps, which lead back to this list."""
        page = IssuePage()
        page.setup(self.request, uuid=issue.uuid)
        page.person, page.subject = self.person, issue
        uuids = [each.uuid for each in rows]
        place = uuids.index(issue.uuid) + 1 if issue.uuid in uuids else 0
        return page.get_context() | {
            "back": f"?{urlencode({'list': query})}",
            "next": next((each for each in uuids[place:] if each != issue.uuid), None),
        }

    def _tabs(self, whose: str, *, reviews: bool) -> list[dict[str, Any]]:
        """Return the tabs "Mine", "My unit's" and "All", each with the current filters."""
        named = [(MINE, "Mine"), (UNIT, "My unit’s"), (ALL, "All")]
        tabs = []
        for name, label in named if reviews else named[1:]:
            query = QueryDict(query_of(self.request.GET), mutable=True)
            query["whose"] = name
            query.pop("queue", None)
            tabs.append({"label": label, "query": query.urlencode(), "current": name == whose})
        return tabs


class QueueExport(QueueList):
    """Everything that the filters show, as a file."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponseBase:  # type: ignore[override]
        """Send the file; with invalid filters an empty one would suggest that there are none."""
        if self.filters and not self.filters.is_valid():
            return super().get(request)
        found = self.get_filtered().order_by(*order_of(request.GET))
        return exported(request, found, name="work", inside=True)


class SaveFilter(ActionPage):
    """Save the filters of an address under a name."""

    permission = Action.SEE_FINDINGS
    form_class = SaveFilterForm
    shown_on = QueueList
    success_message = "“{result.name}” is saved above the list."

    @property
    def query(self) -> str:
        """Return the filters that were submitted, without anything else."""
        return query_of(QueryDict(self.request.POST.get("query", "")[:LONGEST_QUERY]))

    def act(self, data: dict[str, Any]) -> SavedFilter:
        return save_filter(
            name=data["name"],
            of_list=LIST,
            query=self.query,
            shared=data["shared"],
            by=self.person,
        )

    def get_page_url(self) -> str:
        return f"{reverse('work')}?{self.query}"

    def get_shown_subject(self) -> None:
        self.request.GET = QueryDict(self.query)


class RemoveFilter(ActionPage):
    """Remove one of the user's own filters."""

    permission = Action.SEE_FINDINGS
    form_class = RemoveFilterForm
    success_message = "The filter was removed."
    returns_to = ("work",)

    def act(self, data: dict[str, Any]) -> None:
        remove_filter(uuid=data["filter"], by=self.person)


def query_of(data: QueryDict) -> str:
    """Return the filters of an address, without empty ones and without the page."""
    kept = QueryDict(mutable=True)
    for name in ("whose", *QueueFilters.base_filters):
        if value := data.get(name):
            kept[name] = value
    return kept.urlencode()


TITLES = {"claim": "Assign to me", "give": "Reassign", "decide": "Decide"}


class WorkOnMany(ConfirmedMixin, Page):
    """Ask for an action's input, preview its effects, and carry it out after confirmation."""

    permission = Action.REVIEW_FINDINGS

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Return to the list: there is nothing to confirm."""
        return redirect("work")

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        self.query = request.POST.get("query", "")[:LONGEST_QUERY]
        back = f"{reverse('work')}?{self.query}"
        name = request.POST.get("act", "")
        if name not in TITLES:
            return redirect(back)
        issues, editions = self._chosen()
        if not issues:
            messages.warning(request, "Choose at least one issue first.")
            return redirect(back)
        stage = request.POST.get("stage", "")
        form, act = self._act(name, issues, bound=bool(stage))
        context: dict[str, Any] = {
            "title": TITLES[name],
            "act": name,
            "form": form,
            "issues": issues,
            "chosen": [f"{uuid}.{edition}" for uuid, edition in editions.items()],
            "query": self.query,
            "back": back,
        }
        if act is None:
            status = 422 if form.errors else 200
            return render(request, "audits/queue/ask.html", context, status=status)
        if stage == "do":
            return self._carry_out(name, act, editions, context)
        foreseen = writes.foresee(issues=issues, act=act, by=self.person)
        kept = [(field, value) for field, value in request.POST.items() if field in form.fields]
        context |= _present(foreseen) | {"kept": [each for each in kept if each[1]]}
        return render(request, "audits/queue/preview.html", context)

    def _carry_out(
        self, name: str, act: Act, editions: dict[UUID, int], context: dict[str, Any]
    ) -> HttpResponse:
        """Do it, and show what was done; with a passkey, only what its owner signed."""
        issues = context["issues"]
        try:
            with self.confirmed():
                done = writes.carry_out(issues=issues, editions=editions, act=act, by=self.person)
        except PasskeyNeededError as needed:
            return self.ask_passkey(needed)
        except RefusedError as refused:
            messages.error(self.request, str(refused))
            return redirect(context["back"])
        context |= _present(done) | _undo(name, done)
        return render(self.request, "audits/queue/done.html", context)

    def _chosen(self) -> tuple[list[Issue], dict[UUID, int]]:
        """Return the selected issues, or all that the filters show, with their editions."""
        most = writes.MAXIMUM_ISSUES
        if self.request.POST.get("every"):
            filters = QueueFilters(QueryDict(self.query), in_queues(), request=self.request)
            found = filters.qs.order_by("-impact", "pk")[:most] if filters.is_valid() else []
            shown = {each.uuid: each.work.edition for each in found}
        else:
            shown = dict(filter(None, map(_ticked, self.request.POST.getlist("issue")[:most])))
        issues = writes.chosen(list(shown))
        return issues, {each.uuid: shown[each.uuid] for each in issues}

    def _act(
        self, name: str, issues: Sequence[Issue], *, bound: bool
    ) -> tuple[forms.Form, Act | None]:
        """Return the form for an action's input, and the action once the form is complete."""
        if name == "claim":
            return forms.Form(), writes.Claim()
        data = self.request.POST if bound else None
        if name == "give":
            given = GiveForm(reviewers(), data)
            if not given.is_valid():
                return given, None
            any_queue = self.allows(Action.ASSIGN_FINDINGS)
            entered = given.cleaned_data
            give = writes.Give(entered["to"], any_queue=any_queue, note=entered["note"])
            return given, give
        operators = {each.party_id for each in issues}
        cases: list[Case] = []
        if len(operators) == 1:
            cases = list(Case.objects.filter(party__in=operators, state=Case.State.OPEN))
        first = {"step": self.request.POST.get("step", "")}
        form = StepOfManyForm(cases, data, initial=first)
        if not form.is_valid():
            return form, None
        return form, writes.Decide(StepRequest(**form.cleaned_data))


def _ticked(value: str) -> tuple[UUID, int] | None:
    number, _, edition = value.partition(".")
    try:
        return UUID(number), int(edition[:10])
    except ValueError:
        return None


def _present(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Count the outcomes, and list each issue that cannot be changed with the reason."""
    done = [each for each in outcomes if not each.why_not]
    left = [each for each in outcomes if each.why_not]
    return {
        "counted": Counter(each.becomes for each in done).most_common(),
        "will": len(done),
        "total": len(outcomes),
        "done": OutcomeTable(done, caption="Which these are", exclude=("why_not",)),
        "left": OutcomeTable(
            left,
            caption=f"Not changed: {len(left):,}",
            exclude=("becomes",),
        ),
    }


def _undo(name: str, done: Sequence[Outcome]) -> dict[str, Any]:
    """Return the action that reverses what was done, if any; it needs confirmation like others."""
    fresh = writes.chosen([each.issue.uuid for each in done if not each.why_not])
    if name == "decide":
        fresh = [each for each in fresh if each.state in CLOSED]
        undo = {"act": "decide", "step": "reopen", "label": "Reverse these decisions"}
    elif name == "claim":
        undo = {"act": "give", "stage": "preview", "to": NOBODY, "label": "Unassign these issues"}
    else:
        fresh = []
        undo = {}
    return {"undo": undo if fresh else None, "again": [f"{p.uuid}.{p.work.edition}" for p in fresh]}


class CoverPage(ActionPage):
    """Current and future covers, and the form to arrange one."""

    permission = Action.REVIEW_FINDINGS
    template_name = "audits/queue/cover.html"
    success_message = "{result.covering} covers for {result.absent} on these days."
    returns_to = ("cover",)

    def get_form(self, data: Any = None, files: Any = None) -> CoverForm:
        """Return the form; only supervisors arrange covers of others."""
        supervises = self.allows(Action.ASSIGN_FINDINGS)
        people = reviewers()
        return CoverForm(
            people if supervises else [self.person],
            [each for each in people if supervises or each != self.person],
            data,
        )

    def act(self, data: dict[str, Any]) -> Cover:
        return arrange_cover(by=self.person, **data)

    def get_context(self) -> dict[str, Any]:
        """Add the covers; each ends by the absent person or a supervisor."""
        supervises = self.allows(Action.ASSIGN_FINDINGS)
        covers = covers_of(unit_of(self.person))
        table = CoverTable(covers, person=self.person, ends_all=supervises)
        return super().get_context() | {"covers": table}


class EndCover(ActionPage):
    """End a cover early."""

    permission = Action.REVIEW_FINDINGS
    success_message = "{result.absent} is responsible for the queue again."
    returns_to = ("cover",)

    def act(self, data: dict[str, Any]) -> Cover:
        chosen = self.request.POST.get("cover", "")
        covers = covers_of(unit_of(self.person))
        cover = next((each for each in covers if str(each.uuid) == chosen), None)
        supervises = self.allows(Action.ASSIGN_FINDINGS)
        if cover is None or not (supervises or cover.absent_id == self.person.pk):
            msg = "This cover has already ended, or is not yours to end."
            raise RefusedError(msg)
        end_cover(cover=cover, by=self.person)
        return cover
