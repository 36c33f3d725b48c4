"""Pages to map an operator's own files: a sample, matching, a test, and saved versions."""

from __future__ import annotations

import json
import shutil
import tempfile
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url

from audits.intake.filed_forms import FiledForms, filed_definitions
from audits.intake.mapping.conversion import convert_sample
from audits.intake.mapping.errors import TableError
from audits.intake.mapping.forms import (
    MOST_SAMPLE_ROWS,
    MatchForm,
    SampleForm,
    SampleRows,
    own_operators,
)
from audits.intake.mapping.guess import guess_layout, guess_mapping
from audits.intake.mapping.models import LogMapping
from audits.intake.mapping.reads import newest_of_visible
from audits.intake.mapping.tables import read_table
from audits.intake.mapping.templates import columns_of_template, csv_template, xlsx_template
from audits.intake.mapping.writes import save_mapping
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.access.reads import name_of_asker
from compliance.errors import RefusedError
from compliance.events.exports import record_export
from compliance.files.downloads import as_file
from compliance.ui.access import allows
from compliance.ui.pages import ActionPage, ListPage, Page
from compliance.ui.tables import CountColumn, ListTable, WhenColumn
from games.families.filed import schema_of
from games.log.reference import game_schema
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from django import forms
    from django.core.files.uploadedfile import UploadedFile
    from django.db.models import QuerySet
    from django.http import HttpRequest

    from audits.intake.mapping.conversion import Sample
    from games.definition import Definition


LARGEST_SAMPLE_FILE = 16 << 20
SHOWN_ROWS = 5
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class MappingTable(ListTable):
    """Saved mappings, each in its newest version."""

    name = tables.Column(linkify=("mapping", {"uuid": tables.A("uuid")}))
    party = tables.Column(verbose_name="Operator")
    version = CountColumn()
    at = WhenColumn(verbose_name="Saved")
    caption = "Mappings"

    class Meta:
        orderable = False


class ProblemTable(ListTable):
    """Rows of a sample that make no round."""

    rows = tables.Column()
    round = tables.Column()
    field = tables.Column()
    reason = tables.Column(verbose_name="Why")
    caption = "Rows that make no round"

    class Meta:
        orderable = False

    def render_rows(self, value: tuple[int, ...]) -> str:
        first, last = min(value), max(value)
        return f"{first:,}" if first == last else f"{first:,} to {last:,}"


class MappingList(ListPage):
    """Saved mappings."""

    permission = Action.SEE_ROUNDS
    template_name = "audits/mappings/mappings.html"
    table_class = MappingTable
    by = None

    def get_rows(self) -> QuerySet[LogMapping]:
        return newest_of_visible()

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {"submits": self.allows(Action.SUBMIT_ROUNDS)}


class MappingPage(Page):
    """One version of a mapping."""

    permission = Action.SEE_ROUNDS
    template_name = "audits/mappings/mapping.html"

    def get_subject(self) -> LogMapping:
        return get_object_or_404(
            LogMapping.objects.select_related("party"), uuid=self.kwargs["uuid"]
        )

    def get_context(self) -> dict[str, Any]:
        """Collect its other versions, and the fields that it fills."""
        mapping: LogMapping = self.subject
        return {
            "mapping": mapping,
            "by": name_of_asker(mapping.by),
            "versions": LogMapping.objects.filter(party=mapping.party, name=mapping.name),
            "fields": [
                (target, " and ".join(each.get("columns", ())) or f"always {each.get('value')}")
                for target, each in mapping.content["fields"].items()
            ],
            "submits": self.allows(Action.SUBMIT_ROUNDS),
        }


class MappingFile(MappingPage):
    """A mapping as JSON, to keep or to use elsewhere."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        mapping: LogMapping = self.subject
        recorded = record_export(
            by=self.person, what="a mapping", format="JSON", about=mapping, party=mapping.party
        )
        text = json.dumps(mapping.content, indent=2, ensure_ascii=False)
        answer = HttpResponse(text, content_type="application/json")
        return as_file(answer, f"{mapping.name}-{mapping.version}.json", recorded=recorded)


class NewMapping(ActionPage):
    """Step 1: a sample."""

    permission = Action.SUBMIT_ROUNDS
    template_name = "audits/mappings/new.html"

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        every = Party.objects.filter(kind__in=OPERATOR_KINDS)
        own = [e.pk for e in every if allows(self.request, Action.SUBMIT_ROUNDS, e)]
        return SampleForm(own_operators(own), filed_definitions(), data, files)

    def act(self, data: dict[str, Any]) -> MatchForm:
        """Read the first rows, and guess what the columns are."""
        return _first_match(data)

    def respond(self, result: MatchForm) -> HttpResponse:
        """Go on to step 2, which carries the sample with it."""
        return _show_match(self.request, result)


def _first_match(data: dict[str, Any]) -> MatchForm:
    file: UploadedFile[Any] = data["file"]
    header: int | None = data["header"]
    if (file.size or 0) > LARGEST_SAMPLE_FILE:
        msg = "A sample has up to 16 MiB. Cut the file after its first rounds, and use that."
        raise RefusedError(msg)
    with tempfile.TemporaryDirectory(prefix="sample-") as place:
        folder = Path(place)
        path = folder / "sample"
        with path.open("wb") as copy:
            shutil.copyfileobj(file, copy)
        layout = guess_layout(path)
        kept = {"header": layout.header if header is None else header, "sheet": data["sheet"]}
        layout = type(layout)(**{**vars(layout), **kept})
        try:
            rows = list(islice(read_table(path, layout, folder), MOST_SAMPLE_ROWS))
        except TableError as wrong:
            raise RefusedError(str(wrong)) from None
    if not rows:
        msg = f"{file.name} has no rows below the names of its columns."
        raise RefusedError(msg)
    name = "".join(sign if sign.isalnum() or sign in " _.-" else " " for sign in file.name or "")
    filed = filed_definitions()
    guessed = guess_mapping(
        name.rpartition(".")[0].strip()[:60] or "mapping",
        layout,
        rows,
        game=data["game"],
        definition=filed.get(data["game"]),
    )
    columns = list(dict.fromkeys(column for row in rows for column in row.cells))
    sample = SampleRows(data["operator"].code, guessed["layout"], columns, rows)
    return MatchForm(sample, filed, initial=guessed)


class MatchMapping(ActionPage):
    """Step 2: match the columns, test the mapping on the sample, and save it."""

    permission = Action.SUBMIT_ROUNDS
    template_name = "audits/mappings/match.html"

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Begin with a sample."""
        return redirect("new_mapping")

    def get_form(self, data: Any = None, files: Any = None) -> MatchForm:
        try:
            sample = SampleRows.of_text(data["sample"] if data else "")
        except (ValueError, KeyError):
            raise Http404 from None
        return MatchForm(sample, filed_definitions(), data)

    def act(self, data: dict[str, Any]) -> LogMapping | Sample:
        """Test the mapping, or save it."""
        form_sample = SampleRows.of_text(data["sample"])
        if "save" not in self.request.POST:
            try:
                forms = FiledForms(clock.now())
                rows = form_sample.rows
                return convert_sample(data["definition"], rows, forms.definitions, forms)
            except TableError as wrong:
                raise RefusedError(str(wrong)) from None
        operator = get_object_or_404(Party, code=form_sample.operator)
        return save_mapping(party=operator, content=data["definition"].as_json(), by=self.person)

    def respond(self, result: LogMapping | Sample) -> HttpResponse:
        """Show what the test found, or the saved mapping."""
        if isinstance(result, LogMapping):
            return redirect(resolve_url("mapping", uuid=result.uuid))
        return _show_match(self.request, self.get_form(self.request.POST), result)

    def show_refused(self, form: forms.Form) -> HttpResponse:
        """Show what is wrong with the mapping."""
        assert isinstance(form, MatchForm)  # noqa: S101 - of `get_form`
        return _show_match(self.request, form, status=422)


def _show_match(
    request: HttpRequest, form: MatchForm, tested: Sample | None = None, status: int = 200
) -> HttpResponse:
    sample = form.sample_rows
    shown = [
        [row.cells.get(name, "") for name in sample.columns] for row in sample.rows[:SHOWN_ROWS]
    ]
    context = {
        "form": form,
        "columns": sample.columns,
        "rows": shown,
        "tested": tested,
        "problems": ProblemTable(tested.problems) if tested else None,
        "example": tested.examples[0].line().decode() if tested and tested.examples else "",
    }
    return render(request, "audits/mappings/match.html", context, status=status)


class Formats(Page):
    """The formats of all games: a schema of the round log, and templates for tables."""

    permission = Action.SEE_ROUNDS
    template_name = "audits/mappings/formats.html"

    def get_context(self) -> dict[str, Any]:
        filed = sorted((each.name, slug) for slug, each in filed_definitions().items())
        games = [(slug, rule_set(slug).name) for slug in SLUGS]
        return {"games": [*games, *((slug, name) for name, slug in filed)]}


class FormatSchema(Page):
    """The JSON Schema of a game's lines."""

    permission = Action.SEE_ROUNDS

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        game, definition = self.game()
        schema = game_schema(game) if definition is None else schema_of(definition)
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        answer = HttpResponse(text, content_type="application/schema+json")
        return as_file(answer, f"{game}.schema.json", recorded=None)

    def game(self) -> tuple[str, Definition | None]:
        """Return the game that the query names, and its definition if it was filed."""
        game = self.request.GET.get("game", SLUGS[0])
        if game in SLUGS:
            return game, None
        filed = filed_definitions()
        if game not in filed:
            raise Http404
        return game, filed[game]


class CsvTemplate(FormatSchema):
    """A CSV file with the columns of a game."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        game, definition = self.game()
        content = csv_template(columns_of_template(game, definition))
        answer = HttpResponse(content, content_type="text/csv")
        return as_file(answer, f"{game}.csv", recorded=None)


class XlsxTemplate(FormatSchema):
    """A workbook with the columns of a game."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        game, definition = self.game()
        content = xlsx_template(columns_of_template(game, definition))
        answer = HttpResponse(content, content_type=XLSX)
        return as_file(answer, f"{game}.xlsx", recorded=None)
