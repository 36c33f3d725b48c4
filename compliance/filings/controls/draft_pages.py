"""The draft of internal controls: its overview, its sections, and the summary before submission."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.errors import RefusedError
from compliance.events.canonical import digest
from compliance.filings.controls.content import (
    GAME,
    SECTIONS,
    digest_of_part,
    get_part,
    is_part,
    problems_of_part,
    section_of,
    with_part,
)
from compliance.filings.controls.draft_forms import FORMS, HoursForm
from compliance.filings.controls.drafts import StaleDraftError, save_part
from compliance.filings.controls.game_form import GameForm
from compliance.filings.controls.presentation import (
    compare_controls,
    compare_part,
    describe_problems,
    heading_of,
    present_controls,
    usual_text,
)
from compliance.filings.controls.reads import (
    approved_versions,
    comments_on_controls,
    find_controls_version,
    find_decision_reason,
    find_problems,
    get_draft,
    newest_version,
)
from compliance.filings.controls.writes import OPEN, submit_controls
from compliance.filings.requests.reads import game_names, rules_of
from compliance.ui.access import accepted
from compliance.ui.pages import ActionPage, Page
from compliance.ui.tables import ListTable, show_state

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString

    from compliance.filings.controls.draft_forms import PartForm
    from compliance.filings.controls.models import ControlsVersion
    from compliance.filings.controls.reads import Draft


CHANGED = (
    "Another user saved this draft after the summary was made. Review what you submit again: the "
    "summary below is current."
)


class SubmitForm(forms.Form):
    """The draft to submit: the one whose digest the summary showed."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)
    games_swap_only = forms.BooleanField(
        label="Only the games change (may be approved verbally first)", required=False
    )


def _minor_without(name: str) -> dict[str, Any]:
    """Return attributes that leave an empty cell out on a phone."""
    return {"td": {"class": lambda record=None: "minor" if record and not record[name] else ""}}


class SectionTable(ListTable):
    """The parts of a draft, with what each lacks."""

    heading = tables.Column(verbose_name="Section", linkify=lambda record: record["url"])
    state = tables.Column(empty_values=())
    problems = tables.Column(
        verbose_name="To fix", empty_values=(), attrs=_minor_without("problems")
    )
    comments = tables.Column(empty_values=(), attrs=_minor_without("comments"))
    compact = True

    def render_state(self, record: dict[str, Any]) -> SafeString:
        """Show whether the part is written, and complete."""
        if record["problems"] and not record["written"]:
            return show_state("waiting", "To be written")
        if record["problems"]:
            return show_state("attention", "To fix")
        if record["written"]:
            return show_state("working", "Written")
        state = show_state("waiting", "As usual")
        return format_html("{} {}", state, record["usual"] or "none")

    def render_problems(self, record: dict[str, Any]) -> str:
        """Show the problems of a written part, and the rule that requires another one."""
        if not record["problems"]:
            return "–"
        if not record["written"]:
            return str(record["problems"][0].cites)
        return render_to_string("controls/problems.html", {"problems": record["problems"]})

    def render_comments(self, value: int) -> str:
        return f"{value} comment{'' if value == 1 else 's'}" if value else "–"


def parts_of(content: Mapping[str, Any]) -> list[str]:
    """Return the parts of a draft in the order they are written."""
    return [*SECTIONS, *(f"{GAME}{slug}" for slug in content.get("games", {}))]


def find_operator(code: str) -> Party:
    """Return the operator whose controls are being written."""
    operators = Party.objects.filter(kind__in=OPERATOR_KINDS).select_related("agency")
    return get_object_or_404(operators, code=code)


class DraftPage(Page):
    """Every section with its problems and comments, and the games that may be added."""

    permission = Action.WRITE_CONTROLS
    template_name = "controls/draft.html"

    def get_subject(self) -> Party:
        return find_operator(self.kwargs["code"])

    def get_context(self) -> dict[str, Any]:
        operator: Party = self.subject
        draft = get_draft(operator)
        problems = find_problems(operator, draft.content, clock.today())
        newest = newest_version(operator)
        comments = comments_on_controls(newest) if newest is not None else {}
        parts = parts_of(draft.content)
        rows = [
            {
                "heading": heading_of(part),
                "url": reverse("controls_section", args=[operator.code, part]),
                "written": bool(get_part(draft.content, part)),
                "problems": describe_problems(problems_of_part(part, problems)),
                "comments": len(comments.get(section_of(part), [])),
                "usual": "; ".join(usual_text(part)),
            }
            for part in parts
        ]
        done = sum(not row["problems"] for row in rows)
        caption = f"Sections: {done} of {len(rows)} are complete"
        return {
            "operator": operator,
            "draft": draft,
            "newest": newest,
            "why": find_decision_reason(newest) if newest is not None else "",
            "waits": newest is not None and newest.filing.state in OPEN,
            "table": SectionTable(rows, caption=caption),
            "elsewhere": [each for each in describe_problems(problems) if each.part not in parts],
            "games": [
                (reverse("controls_section", args=[operator.code, f"{GAME}{slug}"]), name)
                for slug, name in game_names().items()
                if slug not in draft.content.get("games", {})
            ],
            "submits": self.allows(Action.SUBMIT_CONTROLS),
        }


class SubmitDraft(ActionPage):
    """Show this version's changes for confirmation, then submit it."""

    permission = Action.SUBMIT_CONTROLS
    template_name = "controls/submit.html"
    success_message = "Version {result.number} is submitted. The commission reviews it now."

    draft: Draft

    def get_subject(self) -> Party:
        return find_operator(self.kwargs["code"])

    def get_form(self, data: Any = None, files: Any = None) -> SubmitForm:
        self.draft = get_draft(self.subject)
        return SubmitForm(data, initial={"seen": digest(self.draft.content)})

    def act(self, data: dict[str, Any]) -> ControlsVersion:
        if data["seen"] != digest(self.draft.content):
            raise RefusedError(CHANGED)
        return submit_controls(
            operator=self.subject,
            content=self.draft.content,
            by=self.person,
            games_swap_only=data.get("games_swap_only", False),
        )

    def get_success_url(self, result: ControlsVersion) -> str:
        return resolve_url("controls_version", uuid=result.uuid)

    def show_refused(self, form: forms.Form) -> HttpResponse:
        """Show the summary as it is now; go to the version if the button was pressed twice."""
        newest = newest_version(self.subject)
        if (
            newest is not None
            and newest.filing.state in OPEN
            and newest.content == self.draft.content
        ):
            return redirect("controls_version", uuid=newest.uuid)
        data = self.request.POST.copy()
        data["seen"] = digest(self.draft.content)
        form.data = data
        return super().show_refused(form)

    def get_context(self) -> dict[str, Any]:
        """Add what changes from the version in effect, else from the newest."""
        context = super().get_context()
        content, newest = self.draft.content, newest_version(self.subject)
        in_effect = find_controls_version(operator=self.subject, at=clock.now())
        before = in_effect or newest
        sections = compare_controls(before.content if before else {}, content)
        if in_effect is None:  # a swap applies only to controls in effect
            del context["form"].fields["games_swap_only"]
        return context | {
            "operator": self.subject,
            "before": before,
            "waits": newest if newest is not None and newest.filing.state in OPEN else None,
            "first": [] if before else present_controls(content),
            "problems": describe_problems(find_problems(self.subject, content, clock.today())),
            "changed": [each for each in sections if each.changed],
            "same": [each for each in sections if not each.changed],
        }


SAVED = "Saved at %-I:%M %p"


class SectionPage(Page):
    """One section; input is checked and saved as it is typed."""

    permission = Action.WRITE_CONTROLS
    template_name = "controls/section.html"

    part: str
    section_form: PartForm
    is_overtaken = False

    def get_subject(self) -> Party:
        """Return the operator; the address also names a part."""
        self.part = self.kwargs["part"]
        if not is_part(self.part):
            raise Http404
        return find_operator(self.kwargs["code"])

    def get_form(self, data: Any = None, **more: Any) -> PartForm:
        if not self.part.startswith(GAME):
            return FORMS[self.part](self.part, data, **more)
        slug = self.part.removeprefix(GAME)
        rules = rules_of(slug)
        if rules is None:
            raise Http404
        approved = approved_versions(self.subject, slug)
        return GameForm(self.part, data, rules=rules, approved=approved, **more)

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        draft = get_draft(self.subject)
        value = get_part(draft.content, self.part)
        self.section_form = self.get_form(value=value, seen=self.seen_in(draft))
        return self.show()

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Save the input, or change the form as its other buttons say."""
        self.section_form = form = self.get_form(request.POST)
        if "take_out" in request.POST and self.part.startswith(GAME):
            return self.remove_game()
        if "add" in request.POST and isinstance(form, GameForm):
            form.one_more_line()
            return self.show()
        if "alike" in request.POST and isinstance(form, HoursForm):
            form.as_on_the_first_day()
        self.save()
        if request.headers.get("HX-Request") == "true":
            return self.show_while_typing()
        if form.errors:
            return self.show_refused()
        messages.success(request, f"{heading_of(self.part)}: saved.", extra_tags=self.part)
        return redirect(self.get_next_url())

    def get_next_url(self) -> str:
        """Return the next section, the overview after the last one, or this section."""
        code, part = self.subject.code, self.part
        if "next" in self.request.POST:
            parts = parts_of(get_draft(self.subject).content)
            after = parts[parts.index(part) + 1 :]
            if not after:
                return resolve_url("controls_draft", code=code)
            part = after[0]
        return resolve_url("controls_section", code=code, part=part)

    def seen_in(self, draft: Draft) -> str:
        """Return the digest of the part, which a save must name."""
        return digest_of_part(draft.content, self.part)

    def save(self) -> None:
        """Save the input if it can be read, and if no other user saved first."""

        def act(data: dict[str, Any]) -> object:
            value, seen = self.section_form.value, data["seen"]
            try:
                return save_part(
                    operator=self.subject, part=self.part, value=value, seen=seen, by=self.person
                )
            except StaleDraftError:
                self.is_overtaken = True
                raise

        accepted(self.section_form, act)

    def remove_game(self) -> HttpResponse:
        """Remove the game of this section from the draft."""
        operator, part = self.subject, self.part
        seen = self.request.POST.get("seen", "")[:64]
        try:
            save_part(operator=operator, part=part, value=None, seen=seen, by=self.person)
        except StaleDraftError as overtaken:
            self.is_overtaken = True
            self.section_form.full_clean()
            self.section_form.add_error(None, str(overtaken))
            return self.show_refused()
        text = f"{heading_of(part)} is removed from the draft."
        messages.success(self.request, text, extra_tags=part)
        return redirect("controls_draft", code=operator.code)

    def show_refused(self) -> HttpResponse:
        """Show the input with its errors; it can be submitted again over a newer save."""
        if self.is_overtaken:
            data = self.section_form.data.copy()  # type: ignore[attr-defined]
            data["seen"] = self.seen_in(get_draft(self.subject))
            self.section_form.data = data
        return self.show(status=422)

    def typed(self, draft: Draft) -> dict[str, Any]:
        """Return the draft with the input added, if all of it can be read."""
        form = self.section_form
        if not form.is_bound or form.errors.keys() - {"__all__"}:
            return draft.content
        return with_part(draft.content, self.part, form.value)

    def compare(self, content: Any) -> dict[str, Any]:
        """Return the section's problems and its differences from the version in effect."""
        operator, part = self.subject, self.part
        before = find_controls_version(operator=operator, at=clock.now())
        rows = compare_part(before.content, content, part) if before is not None else []
        problems = find_problems(operator, content, clock.today())
        return {
            "part": part,
            "operator": operator,
            "problems": describe_problems(problems_of_part(part, problems)),
            "before": before,
            "rows": rows,
            "changed": any(row.changed for row in rows),
        }

    def show_while_typing(self) -> HttpResponse:
        """Respond to a script: what was saved, what is missing, the section's new state."""
        draft, form = get_draft(self.subject), self.section_form
        wrong = [
            (form[name].label if name != "__all__" else "", error)
            for name, errors in form.errors.items()
            for error in errors
        ]
        context = self.compare(self.typed(draft)) | {
            "wrong": [] if self.is_overtaken else wrong,
            "overtaken": draft if self.is_overtaken else None,
            "seen": "" if form.errors else self.seen_in(draft),
            "saved": f"{timezone.localtime(draft.saved):{SAVED}}" if draft.saved else "",
        }
        return render(self.request, "controls/section_typed.html", context)

    def get_context(self) -> dict[str, Any]:
        """Add the comments on the section, and its place among the others."""
        draft, part, newest = get_draft(self.subject), self.part, newest_version(self.subject)
        typed, parts = self.typed(draft), parts_of(draft.content)
        comments = comments_on_controls(newest) if newest else {}
        return self.compare(typed) | {
            "heading": heading_of(part),
            "form": self.section_form,
            "draft": draft,
            "in_draft": part in parts,
            "overtaken": compare_part(draft.content, typed, part) if self.is_overtaken else None,
            "newest": newest,
            "remarks": comments.get(section_of(part), []),
            "game": part.startswith(GAME),
            "place": parts.index(part) + 1 if part in parts else 0,
            "places": len(parts),
        }
