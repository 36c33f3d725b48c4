"""Forms of the guided mapping: a sample, then what each of its columns is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from django import forms

from audits.intake.mapping.definition import CASH, Definition, read_definition
from audits.intake.mapping.errors import MappingError
from audits.intake.mapping.fields import (
    BET,
    IN_EVERY_ROUND,
    LATER_FIELDS,
    cash_targets,
    targets,
)
from audits.intake.mapping.filed_games import fields_of
from audits.intake.mapping.tables import Row
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS
from compliance.ui.forms import LongField, NameField, OperatorField
from games.explanation.words import describe_name
from games.log.schema import form_of
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

    import games.definition as games


MOST_SAMPLE_ROWS: Final = 300
LARGEST_SAMPLE: Final = 600_000
"""Characters of the sample that the page carries from step to step."""
SEATS: Final = range(1, 10)
ZONES: Final = (
    *("America/Los_Angeles", "America/Denver", "America/Phoenix", "America/Chicago"),
    *("America/New_York", "America/Anchorage", "Pacific/Honolulu", "UTC"),
)
BY_COLUMN: Final = "by column"

_ROWS = (
    ("bet", "One bet of one player"),
    ("hand", "One player’s hand, with all its bets"),
    ("round", "One whole round, with all players"),
    ("action", "One action of one player, in a poker game"),
    (CASH, "A table’s cash: opener, fills, credits, closer and drop"),
)
_CARD_INDEXES: Final = {
    "": ("Text, as in Th, 10h or ♥10", None),
    "0suit": ("Numbers from 0, all clubs first", {"first": 0, "by": "suit"}),
    "1suit": ("Numbers from 1, all clubs first", {"first": 1, "by": "suit"}),
    "0rank": ("Numbers from 0, all deuces first", {"first": 0, "by": "rank"}),
    "1rank": ("Numbers from 1, all deuces first", {"first": 1, "by": "rank"}),
}
_OF_PART: Final = {
    "wagers": "wager {}",
    "result": "result of {}",
    "choices": "decision {}",
    "carried": "running wager {}",
}
_ACTION_WORDS: Final = {
    "action.street": "Action: on which street",
    "action.act": "Action: what the player did",
    "action.to": "Action: the player’s total on the street after it",
}
_BET_WORDS: Final = {
    "bet.wager": "Bet: which wager",
    "bet.amount": "Bet: amount wagered",
    "bet.result": "Bet: won, lost or returned",
}


@dataclass(frozen=True)
class SampleRows:
    """The first rows of a file, its layout, and whose it is."""

    operator: str
    layout: dict[str, Any]
    columns: list[str]
    rows: list[Row]

    def as_text(self) -> str:
        """Return the sample as a page carries it; only as many rows as fit."""
        rows: list[list[Any]] = []
        size = 0
        for row in self.rows[:MOST_SAMPLE_ROWS]:
            cells = [row.cells.get(name, "") for name in self.columns]
            size += sum(map(len, cells)) + 6 * len(cells)
            if size > LARGEST_SAMPLE:
                break
            rows.append([row.number, cells])
        return json.dumps([self.operator, self.layout, self.columns, rows])

    @staticmethod
    def of_text(text: str) -> SampleRows:
        """Return the sample that a page carried; raise ValueError if it is not one."""
        try:
            operator, layout, columns, rows = json.loads(text)
            made = [
                Row(int(number), dict(zip(columns, map(str, cells), strict=True)))
                for number, cells in rows
            ]
            return SampleRows(str(operator), dict(layout), list(map(str, columns)), made)
        except (TypeError, AttributeError) as wrong:
            raise ValueError(str(wrong)) from None


class SampleForm(forms.Form):
    """A file of the kind that the mapping will read."""

    operator = OperatorField(empty_label=None)
    file = forms.FileField(
        label="A file from your table system",
        help_text="CSV, Excel (.xlsx), JSON or JSON Lines, up to 16 MiB. Only its first rows are "
        "read, and nothing is submitted.",
    )
    header = forms.IntegerField(
        label="Row with the names of the columns",
        required=False,
        min_value=0,
        max_value=1000,
        help_text="Leave this empty to have it found. Enter 0 if the columns have no names.",
    )
    sheet = NameField(
        label="Sheet",
        required=False,
        max_length=100,
        help_text="Of a workbook; empty for its first.",
    )

    game = forms.ChoiceField(
        label="Which game?",
        required=False,
        help_text="If the file has several games, leave this as it is: a column then says which.",
    )

    def __init__(
        self,
        operators: QuerySet[Party],
        filed: Mapping[str, games.Definition],
        data: Any = None,
        files: Any = None,
    ) -> None:
        super().__init__(data, files)
        game = self.fields["game"]
        assert isinstance(game, forms.ChoiceField)  # noqa: S101
        game.choices = [("", "Not sure, or several games"), *_game_choices(filed)]
        field = self.fields["operator"]
        assert isinstance(field, OperatorField)  # noqa: S101
        field.queryset = operators


def _game_choices(filed: Mapping[str, games.Definition]) -> list[tuple[str, str]]:
    named = [(slug, describe_name(slug)) for slug in SLUGS]
    return [*named, *sorted(((slug, each.name) for slug, each in filed.items()), key=itemgetter(1))]


def _fields_of_game(game: str, filed: Mapping[str, games.Definition]) -> dict[str, str]:
    """Return what can be filled in a game's rounds, and what each is; of every game if unknown."""
    if game in filed:
        return fields_of(filed[game])
    every = {name: field.says for name, field in targets().items() if name not in LATER_FIELDS}
    later = {name: field.says for name, field in LATER_FIELDS.items()}
    if game in SLUGS:
        form = form_of(game)
        own = {field.key for field in (*form.round, *form.house, *form.seat)}
        own |= {field.key for field in (*form.wagers, *form.results)}
        common = {*IN_EVERY_ROUND, "from", "deck", "decks", "void", "shuffler", "seat", "player"}
        every = {
            name: says
            for name, says in every.items()
            if name.rpartition(".")[2] in own | common and _belongs(name, game)
        }
        return {**every, **later}
    filed_fields = {name: says for each in filed.values() for name, says in fields_of(each).items()}
    return {**every, **filed_fields, **later}


def _belongs(name: str, game: str) -> bool:
    form = form_of(game)
    where = {"house": form.house, "seat.wagers": form.wagers, "seat.result": form.results}
    prefix, _, key = name.rpartition(".")
    return prefix not in where or key in {field.key for field in where[prefix]}


def _target_choices(
    rows: str, game: str, filed: Mapping[str, games.Definition]
) -> list[tuple[str, str]]:
    choices = [("", "Not used")]
    if rows == CASH:
        return choices + [
            (name, f"Cash: {field.says}"[:90]) for name, field in cash_targets().items()
        ]
    fields = _fields_of_game(game, filed)
    known = {name: says for name, says in fields.items() if not name.startswith("action.")}
    if game not in SLUGS or game == BY_COLUMN:
        known["game"] = "game played"
    for name, says in known.items():
        if not name.startswith("seat."):
            where = "Dealer" if name.startswith("house.") else "Round"
            choices.append((name, f"{where}: {says}"[:90]))
    seats = {name: says for name, says in known.items() if name.startswith("seat.")}
    numbers = SEATS if rows == "round" else [None]
    for number in numbers:
        prefix = "seat" if number is None else f"seat{number}"
        label = "Hand" if number is None else f"Seat {number}"
        for name, says in seats.items():
            words = _seat_words(name, says)
            choices.append((f"{prefix}.{name[5:]}", f"{label}: {words}"[:90]))
    if rows == "bet":
        choices += [(name, _BET_WORDS[name]) for name in BET]
    if rows == "action":
        choices += _ACTION_WORDS.items()
    return choices


def _seat_words(name: str, says: str) -> str:
    _, kind, *key = name.split(".")
    if kind in _OF_PART and key:
        return _OF_PART[kind].format(" ".join(map(describe_name, key)))
    return says


class MatchForm(forms.Form):
    """What each column of a sample is, and how its values are written."""

    sample = forms.CharField(widget=forms.HiddenInput, strip=False)
    name = NameField(label="Name of the mapping", max_length=60)
    rows = forms.ChoiceField(label="What is one row?", choices=_ROWS)
    game = forms.ChoiceField(
        label="Which game?",
        help_text="After a change here or above, choose Test mapping: the columns then list what "
        "the rounds of that game have.",
    )
    money = forms.ChoiceField(
        label="Amounts are in", choices=(("dollars", "Dollars"), ("cents", "Cents"))
    )
    decimal = forms.ChoiceField(
        label="Amounts are written", choices=((".", "1,200.50"), (",", "1.200,50"))
    )
    results = forms.ChoiceField(
        label="The column of results says",
        choices=(
            ("net", "what was won or lost, without the wager"),
            ("returned", "what came back, including the wager"),
        ),
    )
    zone = forms.ChoiceField(label="Times without an offset are of")
    time_format = NameField(
        label="Form of times",
        required=False,
        max_length=60,
        help_text="Leave this empty for 7/12/2025 8:15:03 PM, 2025-07-12 20:15:03 and the like. "
        "Otherwise, for example %d.%m.%Y %H:%M.",
    )
    card_index = forms.ChoiceField(
        label="Cards are written as",
        required=False,
        choices=[(name, label) for name, (label, _) in _CARD_INDEXES.items()],
    )
    tables = LongField(
        label="Names of tables",
        required=False,
        rows=3,
        help_text="One per line, where your system calls a table something else than your "
        "internal controls: Table 3 = T3.",
    )
    values = LongField(
        label="Replace values",
        required=False,
        rows=4,
        help_text="One per line, as column: value = new value. For example, Bet: Ante = main.",
    )
    fill_down = forms.BooleanField(
        label="A row without a round belongs to the round above", required=False
    )
    newest_first = forms.BooleanField(label="The newest rounds come first", required=False)

    day_begins = forms.TimeField(
        label="A gambling day begins at",
        required=False,
        input_formats=["%H:%M"],
        widget=forms.TimeInput({"type": "time"}, "%H:%M"),
        help_text="Only for the cash of whole gambling days: as in your internal controls.",
    )

    def __init__(
        self,
        sample: SampleRows,
        filed: Mapping[str, games.Definition],
        data: Any = None,
        initial: Any = None,
    ) -> None:
        given = initial or {}
        super().__init__(data, initial=_initial(sample, given) if data is None else None)
        self.sample_rows = sample
        zones = dict.fromkeys([given.get("zone", Definition.zone), *ZONES])
        for name, choices in (
            ("zone", [(zone, zone.replace("_", " ")) for zone in zones]),
            ("game", [(BY_COLUMN, "A column says"), *_game_choices(filed)]),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101
            field.choices = choices
        rows = data.get("rows", "") if data is not None else given.get("rows", "")
        value = given.get("fields", {}).get("game", {}).get("value", BY_COLUMN)
        game = data.get("game", "") if data is not None else value
        listed = _target_choices(rows, game, filed)
        names = {name for name, _ in listed}
        for number, column in enumerate(sample.columns):
            shown = next((row.cells[column] for row in sample.rows if row.cells.get(column)), "")
            chosen = data.get(f"column_{number}", "") if data is not None else ""
            other = [] if chosen in names else [(chosen, f"{chosen[:60]} (of another choice)")]
            self.fields[f"column_{number}"] = forms.ChoiceField(
                label=column[:80],
                required=False,
                choices=listed + other,
                help_text=f"First value: {shown[:60]}" if shown else "No value in the sample.",
            )
        first = [f"column_{number}" for number in range(len(sample.columns))]
        self.order_fields(["name", "rows", "game", *first])

    def clean(self) -> dict[str, Any]:
        """Put the mapping together and check it."""
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            data["definition"] = read_definition(self._content(data))
        except MappingError as wrong:
            raise forms.ValidationError(str(wrong)) from None
        return data

    def _content(self, data: Mapping[str, Any]) -> dict[str, Any]:
        fields: dict[str, dict[str, Any]] = {}
        for number, column in enumerate(self.sample_rows.columns):
            target = data.get(f"column_{number}")
            if target:
                fields.setdefault(target, {"columns": []})["columns"].append(column)
        if data["game"] != BY_COLUMN and data["rows"] != CASH:
            fields["game"] = {"value": data["game"]}
        for column, old, new in _replacements(data["values"]):
            named = [each for each in fields.values() if column in each.get("columns", ())]
            if not named:
                msg = f'"Replace values" names the column "{column[:40]}", which is not used.'
                raise MappingError(msg)
            for each in named:
                each.setdefault("values", {})[old] = new
        names = ("name", "rows", "money", "decimal", "results", "zone", "time_format")
        begins = data["day_begins"]
        return {
            **{name: data[name] for name in names},
            "layout": self.sample_rows.layout,
            "card_index": _CARD_INDEXES[data["card_index"]][1],
            "tables": dict(_pairs(data["tables"], "Names of tables")),
            "fill_down": data["fill_down"],
            "newest_first": data["newest_first"],
            "day_begins": f"{begins:%H:%M}" if begins else Definition.day_begins,
            "fields": fields,
        }


def _pairs(text: str, where: str) -> list[tuple[str, str]]:
    found = []
    for line in filter(str.strip, text.split("\n")):
        old, equals, new = line.partition("=")
        if not equals or not old.strip():
            msg = f'"{where}": write each line as old = new, not "{line[:40]}".'
            raise MappingError(msg)
        found.append((old.strip(), new.strip()))
    return found


def _replacements(text: str) -> list[tuple[str, str, str]]:
    found = []
    for old, new in _pairs(text, "Replace values"):
        column, colon, value = old.partition(":")
        if not colon:
            msg = f'"Replace values": write each line as column: value = new, not "{old[:40]}".'
            raise MappingError(msg)
        found.append((column.strip(), value.strip(), new))
    return found


def _initial(sample: SampleRows, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the form shows first: the guesses, or an earlier version."""
    fields = given.get("fields", {})
    of_column = {
        column: target for target, each in fields.items() for column in each.get("columns", ())
    }
    index = given.get("card_index")
    return {
        **{name: given.get(name) for name in ("name", "rows", "money", "decimal", "results")},
        "sample": sample.as_text(),
        "zone": given.get("zone", Definition.zone),
        "time_format": given.get("time_format", ""),
        "game": fields.get("game", {}).get("value", BY_COLUMN),
        "card_index": f"{index['first']}{index.get('by', 'suit')}" if index else "",
        "tables": "\n".join(f"{old} = {new}" for old, new in given.get("tables", {}).items()),
        "values": "\n".join(
            f"{column}: {old} = {new}"
            for each in fields.values()
            for column in each.get("columns", ())[:1]
            for old, new in each.get("values", {}).items()
        ),
        "fill_down": given.get("fill_down", False),
        "newest_first": given.get("newest_first", False),
        "day_begins": given.get("day_begins", Definition.day_begins),
        **{f"column_{n}": of_column.get(name, "") for n, name in enumerate(sample.columns)},
    }


def own_operators(pks: list[int]) -> QuerySet[Party]:
    """Return these operators."""
    return Party.objects.filter(kind__in=OPERATOR_KINDS, pk__in=pks)
