"""The commission units' queues, the queue page of one filing, and your queues on the home page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.http import Http404
from django.shortcuts import resolve_url

from compliance import clock
from compliance.access.models import Person
from compliance.access.permissions import Action
from compliance.filings.controls.models import ControlsFiling, ControlsVersion
from compliance.filings.controls.presentation import compare_controls
from compliance.filings.queues.models import FilingInHand, FilingNote, Queue
from compliance.filings.queues.reads import (
    CONDITIONS,
    WaitingFiling,
    list_assignees,
    list_queues,
    waiting_filing,
    waiting_filings,
)
from compliance.filings.queues.writes import add_filing_note, assign_filing, unassign_filing
from compliance.filings.requests.models import GameRequest
from compliance.filings.requests.presentation import (
    VersionChanges,
    compare_versions,
    rule_version_changes,
)
from compliance.ui.access import asked
from compliance.ui.forms import DayField, LongField
from compliance.ui.pages import ActionPage, ListPage, Page
from compliance.ui.tables import DayColumn, ListTable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from django.http import HttpRequest

    from compliance.access.models import Party


LONGEST_WAITING = 10


def own_queues(request: HttpRequest, party: Party) -> list[dict[str, Any]] | None:
    """Return the longest-waiting filings of each queue; None for roles that move no filing on."""
    own = list_queues(each for each in asked(request).memberships if each.party_id == party.pk)
    if not own:
        return None
    waiting = waiting_filings(clock.today())
    by_queue = {queue: [each for each in waiting if each.queue == queue] for queue in own}
    return [
        {"queue": queue, "count": len(rows), "rows": rows[:LONGEST_WAITING]}
        for queue, rows in by_queue.items()
    ]


def filing_changes(subject: UUID) -> VersionChanges | None:
    """Return the changes in a request or a version of controls; None if nothing came before."""
    version = ControlsVersion.objects.filter(uuid=subject).first()
    if version is not None:
        return _controls_changes(version)
    request = GameRequest.objects.filter(uuid=subject).select_related("rule_version").first()
    return rule_version_changes(request.rule_version) if request is not None else None


def _controls_changes(version: ControlsVersion) -> VersionChanges | None:
    before = ControlsVersion.objects.filter(operator=version.operator_id, number__lt=version.number)
    earlier = before.filter(filing__state=ControlsFiling.State.APPROVED).last() or before.last()
    if earlier is None:
        return None
    changes = compare_controls(earlier.content, version.content)
    return compare_versions(earlier, version.number, changes)


class FilingTable(ListTable):
    """Pending filings, longest wait first."""

    what = tables.Column(
        accessor="filing__title",
        verbose_name="Filing",
        linkify=("filing", {"uuid": tables.A("subject")}),
    )
    party = tables.Column(verbose_name="Filed by")
    next_step = tables.Column(accessor="filing__next_step")
    since = DayColumn(accessor="filing__since", default="Not known")
    due = DayColumn(default="No due date")
    person = tables.Column(verbose_name="Assigned to", default="Unassigned")
    caption = "Filings, longest wait first"


class AssignForm(forms.Form):
    """An assignee and a due date."""

    person = forms.ChoiceField(label="Assign to")
    due = DayField(
        label="Due date",
        required=False,
        help_text="A date of your own: the rules set the commission none.",
    )

    def __init__(self, people: list[Person], data: object = None, **more: Any) -> None:
        super().__init__(data, **more)  # type: ignore[arg-type]
        field = self.fields["person"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(str(person.uuid), person.name) for person in people]


class NoteForm(forms.Form):
    """A note for the commission alone."""

    text = LongField(
        label="Note", rows=3, help_text="Only the commission sees notes, never the filer."
    )


class QueuePage(ListPage):
    """The pending filings of a unit: by default, of the user's own."""

    permission = Action.SEE_QUEUES
    template_name = "filings/filings.html"
    table_class = FilingTable
    by = None

    def get_rows(self) -> Any:
        return self.by_assignment[self.assignment]

    def get_context(self) -> dict[str, Any]:
        """Add the units and the assignments to choose from, each with its count."""
        waiting = waiting_filings(clock.today())
        own = list_queues(asked(self.request).memberships)
        chosen = self.request.GET.get("queue", "")
        queue = Queue(chosen) if chosen in Queue.values else (own or [Queue.LICENSING])[0]
        rows = [each for each in waiting if each.queue == queue]
        self.by_assignment = {
            "": rows,
            "mine": [each for each in rows if each.person == self.person],
            "free": [each for each in rows if each.person is None],
        }
        chosen = self.request.GET.get("whose", "")
        self.assignment = chosen if chosen in self.by_assignment else ""
        labels = ("All", "Assigned to me", "Unassigned")
        return super().get_context() | {
            "queue": queue,
            "queues": [(each, sum(row.queue == each for row in waiting)) for each in Queue],
            "assignment": self.assignment,
            "assignments": [
                (name, label, len(rows))
                for label, (name, rows) in zip(labels, self.by_assignment.items(), strict=True)
            ],
        }


class FilingPage(Page):
    """The queue page of a filing."""

    permission = Action.SEE_QUEUES
    template_name = "filings/filing.html"

    def get_subject(self) -> WaitingFiling:
        filing = waiting_filing(self.kwargs["uuid"], clock.today())
        if filing is None:
            raise Http404
        return filing

    @property
    def party(self) -> None:
        """Return None: the commission sees every party's filings."""
        return

    def get_context(self) -> dict[str, Any]:
        """Add what changes, the assignment, and the notes."""
        waiting: WaitingFiling = self.subject
        people = list_assignees(waiting)
        assigns = self.allows(Action.ASSIGN_FILINGS)
        is_assigned = waiting.person is not None
        takes = not is_assigned and self.person in people
        returns = is_assigned and (waiting.person == self.person or assigns)
        return {
            "waiting": waiting,
            "filing": waiting.filing,
            "compares": waiting.filing.kind != CONDITIONS,
            "changes": filing_changes(waiting.subject),
            "take": self.form(forms.Form, "take") if takes or self.is_refused("take") else None,
            "back": self.form(forms.Form, "back") if returns or self.is_refused("back") else None,
            "give": self.form(partial(AssignForm, people), "give") if assigns else None,
            "note": self.form(NoteForm, "note"),
            "notes": list(_notes(waiting.subject)),
        }


def _notes(subject: UUID) -> Iterator[tuple[FilingNote, str]]:
    notes = FilingNote.objects.filter(subject=subject)
    people = Person.objects.filter(uuid__in=[each.by for each in notes])
    names = dict(people.values_list("uuid", "name"))
    for each in notes:
        yield each, names.get(each.by, "")


class _FilingAction(ActionPage):
    """An action on the queue page of a filing."""

    permission = Action.SEE_QUEUES
    shown_on = FilingPage
    get_subject = FilingPage.get_subject
    get_shown_subject = FilingPage.get_subject

    @property
    def party(self) -> None:
        return

    def get_page_url(self) -> str:
        return resolve_url("filing", uuid=self.kwargs["uuid"])


class AssignToMe(_FilingAction):
    """Assign the filing to the current user."""

    form_name = "take"
    success_message = "Assigned to you."

    def act(self, data: dict[str, Any]) -> FilingInHand:
        return assign_filing(waiting=self.subject, to=self.person, by=self.person)


class AssignFiling(_FilingAction):
    """Assign the filing to a person, with a due date."""

    permission = Action.ASSIGN_FILINGS
    success_message = "Assigned to {result.person}."

    def get_form(self, data: Any = None, files: Any = None) -> AssignForm:
        return AssignForm(list_assignees(self.subject), data, prefix="give")

    def act(self, data: dict[str, Any]) -> FilingInHand:
        to = Person.objects.get(uuid=data["person"])
        return assign_filing(waiting=self.subject, to=to, by=self.person, due=data["due"])


class UnassignFiling(_FilingAction):
    """Unassign the filing."""

    form_name = "back"
    success_message = "The filing is unassigned."

    def act(self, data: dict[str, Any]) -> None:
        unassign_filing(waiting=self.subject, by=self.person)


class AddFilingNote(_FilingAction):
    """Add a note for the commission alone."""

    form_class = NoteForm
    form_name = "note"
    success_message = "Note added."

    def act(self, data: dict[str, Any]) -> FilingNote:
        return add_filing_note(waiting=self.subject, by=self.person, **data)
