"""Submitted internal controls: the list, one version with its actions, and a comparison of two."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.db.models import Count
from django.shortcuts import get_object_or_404, resolve_url
from django_filters import ChoiceFilter, FilterSet

from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.acts.checked import Check, CheckedPage
from compliance.acts.touched import (
    TablesOfGame,
    describe_rounds,
    letters_about,
    rounds_on_file,
)
from compliance.events.digests import state_digest
from compliance.filings.controls.actions import ACTIONS, commenting_party
from compliance.filings.controls.content import read_content
from compliance.filings.controls.models import ControlsFiling, ControlsVersion
from compliance.filings.controls.presentation import (
    HEADINGS,
    compare_controls,
    describe_controls,
    present_controls,
)
from compliance.filings.controls.reads import (
    comments_on_controls,
    find_controls_version,
    find_decision_reason,
)
from compliance.filings.controls.writes import is_own
from compliance.filings.documents.forms import CompareForm, SectionForm
from compliance.filings.requests.action_pages import describe_withdrawal
from compliance.filings.requests.models import Approval, Withdrawal
from compliance.filings.requests.reads import list_decisions, person_names
from compliance.people.passkeys import SignedAction
from compliance.ui.access import allows, asked, require_sight
from compliance.ui.filters import day
from compliance.ui.pages import ListPage, Page
from compliance.ui.tables import DayColumn, ListTable, WhenColumn, show_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from django import forms
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString

    from compliance.filings.requests.reads import Decision


State = ControlsFiling.State


class ControlsTable(ListTable):
    """Submitted versions, newest first."""

    version = tables.Column(
        accessor="number",
        verbose_name="Version",
        linkify=("controls_version", {"uuid": tables.A("uuid")}),
    )
    operator = tables.Column(order_by="operator__name")
    state = tables.Column(accessor="filing__state", verbose_name="State")
    submitted = WhenColumn(accessor="at")
    due = DayColumn(accessor="filing__due", verbose_name="Answer due")
    caption = "Versions, newest first"

    class Meta:
        orderable = True

    def render_version(self, value: int) -> str:
        return f"Version {value}"

    def render_state(self, record: ControlsVersion) -> SafeString:
        filing = describe_controls(record)
        return show_state(filing.mark, filing.state)


class ControlsFilters(FilterSet):  # type: ignore[misc]
    """Which versions to show."""

    state = ChoiceFilter("filing__state", choices=State.choices, empty_label="Any state")


class ControlsList(ListPage):
    """Versions in the access scope, and the drafts that the user may write."""

    permission = Action.SEE_CONTROLS
    template_name = "controls/versions.html"
    table_class = ControlsTable
    filter_class = ControlsFilters
    by = None

    def get_rows(self) -> QuerySet[ControlsVersion]:
        return ControlsVersion.objects.select_related("operator", "filing").order_by("-at", "-pk")

    def get_context(self) -> dict[str, Any]:
        """Add the operators whose controls the user may write or compare."""
        operators = Party.objects.filter(kind__in=OPERATOR_KINDS).annotate(
            submitted=Count("controls_versions", distinct=True)
        )
        writes = [each for each in operators if allows(self.request, Action.WRITE_CONTROLS, each)]
        several = [each for each in operators if each.submitted > 1]
        return super().get_context() | {"writes": writes, "several": several}


def require_sight_of_controls(request: HttpRequest, operator: Party) -> None:
    """Let an agency see its tribe's operations' submissions, without a role in them."""
    if operator.agency is None or not allows(request, Action.SEE_CONTROLS, operator.agency):
        require_sight(request, Action.SEE_CONTROLS, operator)


def form_of_action(
    request: HttpRequest, name: str, version: ControlsVersion
) -> Callable[..., forms.Form]:
    """Return how to make the form of an action."""
    form = ACTIONS[name].form
    if not issubclass(form, SectionForm):
        return form
    parties = {commenting_party(version, asked(request).memberships), version.operator}
    return partial(form, HEADINGS.items(), parties)


def find_version(uuid: UUID) -> ControlsVersion:
    """Return a version in the access scope."""
    versions = ControlsVersion.objects.select_related("operator__agency", "filing")
    return get_object_or_404(versions, uuid=uuid)


class ControlsPage(Page):
    """One version: its content, its comments, and the possible actions."""

    template_name = "controls/version.html"

    def get_subject(self) -> ControlsVersion:
        return find_version(self.kwargs["uuid"])

    def check_permission(self) -> None:
        require_sight_of_controls(self.request, self.subject.operator)

    def get_context(self) -> dict[str, Any]:
        """Collect the sections with their comments, the decisions, and the actions."""
        version: ControlsVersion = self.subject
        digest = state_digest(version)
        given = Approval.objects.filter(subject=version.uuid, party=version.operator)
        decisions = list_decisions(given)
        visits = list(version.visits.all())
        names = person_names(each.by for each in visits)
        comments = comments_on_controls(version)
        return {
            "version": version,
            "filing": describe_controls(version),
            "why": find_decision_reason(version),
            "digest": digest,
            "actions": list(self.actions(digest, decisions)),
            "several": ControlsVersion.objects.filter(operator=version.operator_id).count() > 1,
            "decisions": decisions,
            "visits": [(each, names.get(each.by, "")) for each in visits],
            "sections": [
                (section, comments.get(section.key, []))
                for section in present_controls(version.content)
            ],
        }

    def actions(self, digest: str, decisions: list[Decision]) -> Iterator[dict[str, Any]]:
        """Yield the actions that the state and the roles allow, and one just refused."""
        version: ControlsVersion = self.subject
        state, own = State(version.filing.state), is_own(version, self.person)
        approvals = [each.approval for each in decisions]
        for name, action in ACTIONS.items():
            is_allowed = allows(self.request, action.action, version.operator)
            is_allowed = is_allowed and not (own and action.judges)
            if not (is_allowed and action.is_open(state, approvals)) and not self.is_refused(name):
                continue
            section = self.request.GET.get("section")
            make = form_of_action(self.request, name, version)
            form = self.form(make, name, seen=digest, section=section)
            is_swap = version.games_swap_only and state == State.SUBMITTED
            if not form.is_bound and not is_swap:
                form.fields.pop("verbally", None)
            yield {"name": name, "label": action.label, "form": form, "url": f"controls_{name}"}


DECIDING = frozenset({"approve", "deny", "notice", "end"})
"""Actions that cannot easily be undone; a second person confirms an approval."""


class TakeAction(SignedAction, CheckedPage):
    """Comment on a version, or take a step with it."""

    shown_on = ControlsPage

    def get_subject(self) -> ControlsVersion:
        return find_version(self.kwargs["uuid"])

    def check_permission(self) -> None:
        require_sight(self.request, ACTIONS[self.kwargs["name"]].action, self.subject.operator)

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        name = self.kwargs["name"]
        return form_of_action(self.request, name, self.subject)(data, prefix=name)

    def is_checked(self) -> bool:
        return self.kwargs["name"] in DECIDING

    def get_second_permission(self) -> Action | None:
        return Action.APPROVE_CONTROLS if self.kwargs["name"] == "approve" else None

    def describe(self, result: Any, data: dict[str, Any]) -> Check:
        """Name the tables, what changes, and the rounds from then on, and show the letter."""
        version: ControlsVersion = self.subject
        label, name = ACTIONS[self.kwargs["name"]].label, str(version)
        return Check(
            title=f"{label}: {name}",
            touches=tuple(describe_effect(version, result)),
            letters=letters_about(result),
        )

    def act(self, data: dict[str, Any]) -> object:
        return ACTIONS[self.kwargs["name"]].act(self.subject, data, self.person)

    def get_success_message(self, result: Any) -> str:
        return ACTIONS[self.kwargs["name"]].done

    def get_page_url(self) -> str:
        return resolve_url("controls_version", uuid=self.kwargs["uuid"])

    def get_shown_subject(self) -> ControlsVersion:
        """Read the version again: its state may have changed."""
        return find_version(self.kwargs["uuid"])


def describe_effect(version: ControlsVersion, result: Any) -> Iterator[str]:
    """Say which tables a decision on controls touches, and what it changes for them."""
    content = read_content(version.content)[0]
    names = sorted({table for game in content.games.values() for table in game.tables})
    yield f"{version.operator}: {', '.join(names) if names else 'no tables'}."
    if not isinstance(result, Approval):
        if isinstance(result, Withdrawal):
            found = [TablesOfGame(version.operator, tuple(names))] if names else []
            yield from list(describe_withdrawal(result, found, "games under these controls"))[1:]
        return
    before = find_controls_version(operator=version.operator, at=result.at)
    if before is None or before == version:
        yield "No version is in effect before this one."
    else:
        sections = compare_controls(before.content, version.content)
        changed = [each.section.heading for each in sections if each.changed]
        yield (
            f"Compared with version {before.number}, which is in effect, these sections change: "
            f"{', '.join(changed) if changed else 'none'}."
        )
    since = result.in_effect_from
    rounds = rounds_on_file(since=since.date(), operators=[version.operator])
    yield describe_rounds(rounds, day(since))


class CompareControls(Page):
    """Two versions of an operator, section by section."""

    template_name = "controls/compare.html"

    def get_subject(self) -> Party:
        return get_object_or_404(Party.objects.select_related("agency"), code=self.kwargs["code"])

    def check_permission(self) -> None:
        require_sight_of_controls(self.request, self.subject)

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the choice of versions, and their differences once two are chosen."""
        versions = ControlsVersion.objects.filter(operator=self.subject)
        self.choice = CompareForm(versions, request.GET or None)
        is_refused = self.choice.is_bound and not self.choice.is_valid()
        return self.show(status=422 if is_refused else 200)

    def get_context(self) -> dict[str, Any]:
        chosen = self.choice.is_valid()
        context = {"operator": self.subject, "form": self.choice, "chosen": chosen}
        if not chosen:
            return context
        before, after = self.choice.cleaned_data["before"], self.choice.cleaned_data["after"]
        sections = compare_controls(before.content, after.content)
        return context | {
            "before": before,
            "after": after,
            "changed": [each for each in sections if each.changed],
            "same": [each for each in sections if not each.changed],
        }
