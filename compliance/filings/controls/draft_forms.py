"""Forms for the sections of a draft, and for one game with its tables and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.filings.controls.content import DAYS, GAME, LONGEST_TEXT, TEXTS
from compliance.filings.controls.presentation import HEADINGS
from compliance.ui.forms import DollarsField, LongField, NameField
from games.chinese_poker.reasons import BONUSES, NATURALS, SCORINGS
from games.rule_set import rule_set

if TYPE_CHECKING:
    from django.forms import BoundField


CLOCK = "%H:%M"
HINTS = {
    "departments": "Which departments there are, who heads each, and to whom they report.",
    "irregularities": "What is done when a card is missing, exposed or misdealt, and who decides.",
    "surveillance": "What is in view of a camera, and how long video is kept.",
}


class PartForm(forms.Form):
    """One part of the draft; `seen` is the digest of the part as shown on the page."""

    kept_in = ""
    """The field that stores the whole part, if there is one."""
    usual: Any = ""
    """What that field shows before anything is saved."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)

    def __init__(self, part: str, data: Any = None, *, value: Any = None, seen: str = "") -> None:
        self.part = part
        super().__init__(data, initial={"seen": seen, **self.shows(value)})

    def shows(self, value: Any) -> dict[str, Any]:
        """Return the field values for a saved part."""
        return {self.kept_in: self.usual if value is None else value}

    @property
    def value(self) -> Any:
        """Return the part to save from a completed form."""
        return self.cleaned_data[self.kept_in]


class TimeOfDay(forms.TimeField):
    """A time of day in hours and minutes."""

    def __init__(self, **more: Any) -> None:
        widget = forms.TimeInput({"type": "time"}, CLOCK)
        super().__init__(widget=widget, input_formats=[CLOCK], **more)


class TextForm(PartForm):
    """A prose section."""

    kept_in = "text"

    text = LongField(max_length=LONGEST_TEXT, required=False, rows=14)

    def __init__(self, part: str, data: Any = None, **more: Any) -> None:
        super().__init__(part, data, **more)
        self.fields["text"].label = HEADINGS[part]
        self.fields["text"].help_text = HINTS.get(part, "")


class HoursForm(PartForm):
    """The hours of operation, day by day."""

    def __init__(self, part: str, data: Any = None, **more: Any) -> None:
        super().__init__(part, data, **more)
        for day in DAYS:
            for end in ("opens", "closes"):
                label = f"{day.capitalize()} {end}"
                self.fields[f"{day}_{end}"] = TimeOfDay(label=label, required=False)

    @property
    def days(self) -> list[tuple[Any, Any]]:
        """Return the opening and closing fields of each day."""
        return [(self[f"{day}_opens"], self[f"{day}_closes"]) for day in DAYS]

    def as_on_the_first_day(self) -> None:
        """Copy the times of the first day to all others."""
        kept = self.data.copy()  # type: ignore[attr-defined]
        for day in DAYS[1:]:
            for end in ("opens", "closes"):
                kept[f"{day}_{end}"] = kept.get(f"{DAYS[0]}_{end}", "")
        self.data = kept

    def shows(self, value: Any) -> dict[str, Any]:
        """Return opening and closing times for each day that is open."""
        spans = {day: span for day, span in (value or {}).items() if span}
        opens = {f"{day}_opens": span[0] for day, span in spans.items()}
        return opens | {f"{day}_closes": span[1] for day, span in spans.items()}

    def clean(self) -> None:
        """Reject a day with only one of its times."""
        for day in DAYS:
            ends = [self.cleaned_data.get(f"{day}_{end}") for end in ("opens", "closes")]
            if (ends[0] is None) != (ends[1] is None) and f"{day}_opens" not in self.errors:
                msg = "Give both times, or none for a day on which the room is closed."
                self.add_error(f"{day}_opens", msg)

    @property
    def value(self) -> Any:
        """Return opening and closing times by day; closed days are left out."""
        said = self.cleaned_data
        return {
            day: [f"{said[f'{day}_{end}']:%H:%M}" for end in ("opens", "closes")]
            for day in DAYS
            if said[f"{day}_opens"] is not None
        }


class CutOffForm(PartForm):
    """The end of the gambling day: 6:00 a.m. unless specified."""

    kept_in = "cut_off"
    usual = "06:00"

    cut_off = TimeOfDay(label=HEADINGS["cut_off"])

    @property
    def value(self) -> Any:
        """Return the time in the format for programs."""
        return f"{self.cleaned_data['cut_off']:%H:%M}"


class SubmissionForm(PartForm):
    """How long after the cut-off the round log is submitted, in whole hours."""

    kept_in = "hours"
    usual = 6

    hours = forms.IntegerField(
        label="Hours after the cut-off to submit the round log", min_value=0, max_value=72
    )


class VoidReasonsForm(PartForm):
    """The reasons for which a round may be voided."""

    reasons = LongField(
        label=HEADINGS["void_reasons"], required=False, rows=8, help_text="One in each line."
    )

    def shows(self, value: Any) -> dict[str, Any]:
        """Return one reason per line."""
        return {"reasons": "\n".join(value or [])}

    @property
    def value(self) -> Any:
        """Return the lines that are not empty."""
        lines = (line.strip() for line in self.cleaned_data["reasons"].splitlines())
        return [line for line in lines if line]


FORMS: dict[str, type[PartForm]] = {
    **dict.fromkeys(TEXTS, TextForm),
    "hours": HoursForm,
    "cut_off": CutOffForm,
    "submission_hours": SubmissionForm,
    "void_reasons": VoidReasonsForm,
}


CHINESE = "chinese-poker"
MOST_TABLES = 200
BLANK = 1
LONGEST_NAME = 32
MOST_POINTS = 1000
GROUPS = (
    (
        "Where the rules can be read in two ways",
        "Choose only what you play otherwise than is said to apply.",
        ("reading_",),
    ),
    (
        "Maximum aggregates, and wagers of a player who banks",
        "Leave empty what your house does not limit.",
        ("per_hand", "aggregate_", "banker_"),
    ),
    (
        "Points",
        "Leave empty what is not played.",
        ("scoring", "bonus_", "natural_", "surrender", "largest_unit"),
    ),
)
"""What appears beside the tables: a heading, its purpose, and the prefix of its fields."""
BONUS_NAMES = tuple(dict.fromkeys(name for _, name in BONUSES))


class GameForm(PartForm):
    """Everything the controls say about one game; a row without a name is not a table."""

    rows = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=MOST_TABLES)

    def __init__(self, part: str, data: Any = None, *, value: Any = None, seen: str = "") -> None:
        self.rules = rule_set(part.removeprefix(GAME))
        self.wagers = list(self.rules.wagers)
        super().__init__(part, data, value=value, seen=seen)
        self._tables = self._number_of_lines(data, value)
        self.initial["rows"] = self._tables
        for line in range(self._tables):
            self._add_line(line)
        self._add_readings(value or {})
        self._add_aggregates(value or {})
        if self.rules.slug == CHINESE:
            self._add_points()

    def _number_of_lines(self, data: Any, value: Any) -> int:
        if data is None:
            return len((value or {}).get("tables", {})) + BLANK
        try:
            return max(0, min(int(data.get("rows", "0")), MOST_TABLES))
        except ValueError:
            return 0

    def _add_line(self, line: int) -> None:
        where = f"Table {self.initial.get(f't{line}_name') or f'in line {line + 1}'}"
        self.fields[f"t{line}_name"] = NameField(
            label=f"{where}: name", required=False, max_length=LONGEST_NAME
        )
        for wager in self.wagers:
            for end, word in (("low", "minimum"), ("high", "maximum")):
                label = f"{where}: {word} of {_said(wager)} in dollars"
                self.fields[f"t{line}_{wager}_{end}"] = DollarsField(label=label, required=False)
        for name, field in self.fields.items():
            if name.startswith(f"t{line}_"):
                field.widget.attrs["aria-label"] = field.label

    def _add_readings(self, value: dict[str, Any]) -> None:
        chosen = value.get("interpretations", {})
        for id_, each in self.rules.interpretations.items():
            if len(each.readings) > 1 or id_ in chosen:
                choices = [("", f"Not chosen: {_said(each.default)} applies")]
                choices += [(name, _said(name)) for name in each.readings]
                self.fields[f"reading_{id_}"] = forms.ChoiceField(
                    label=f"{id_}: {each.asks}", choices=choices, required=False
                )

    def _add_aggregates(self, value: dict[str, Any]) -> None:
        if isinstance(value.get("max_aggregate"), int):
            self.fields["per_hand"] = DollarsField(
                label="Maximum aggregate of each hand in play, in dollars", required=False
            )
        for wager in self.wagers:
            if self.rules.wagers[wager].odds_based:
                self.fields[f"aggregate_{wager}"] = DollarsField(
                    label=f"Maximum aggregate of {_said(wager)} over all hands of a deal, "
                    "in dollars",
                    required=False,
                )
                self.fields[f"banker_{wager}"] = DollarsField(
                    label=f"Least {_said(wager)} of a player who banks, in dollars", required=False
                )

    def _add_points(self) -> None:
        self.fields["scoring"] = forms.MultipleChoiceField(
            label="Scoring that is played",
            choices=[(each, each) for each in SCORINGS],
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )
        for kind, names in (("bonus", BONUS_NAMES), ("natural", NATURALS)):
            for name in names:
                self.fields[f"{kind}_{name}"] = _points(f"Points for the {kind} {_said(name)}")
        self.fields["surrender"] = _points("Points for surrender")
        self.fields["largest_unit"] = DollarsField(label="Largest unit, in dollars", required=False)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Return the tables as rows: the name field, and two fields for each wager."""
        return [
            {
                "name": self[f"t{line}_name"],
                "wagers": [
                    (
                        _said(wager),
                        self[f"t{line}_{wager}_low"],
                        self[f"t{line}_{wager}_high"],
                    )
                    for wager in self.wagers
                ],
            }
            for line in range(self._tables)
        ]

    @property
    def others(self) -> list[tuple[str, str, list[BoundField]]]:
        """Return the fields beside the tables, by heading and purpose."""
        found = []
        for heading, says, begins in GROUPS:
            names = [name for name in self.fields if name.startswith(begins)]
            if names:
                found.append((heading, says, [self[name] for name in names]))
        return found

    @property
    def wager_names(self) -> list[str]:
        """Return the names of the wagers: the columns of the tables."""
        return [_said(wager) for wager in self.wagers]

    def one_more_line(self) -> None:
        """Add an empty row, keeping everything that was typed."""
        kept = self.data.copy()  # type: ignore[attr-defined]
        kept["rows"] = str(min(self._tables + 1, MOST_TABLES))
        if self._tables < MOST_TABLES:
            self._add_line(self._tables)
            self._tables += 1
        self.data = kept

    def shows(self, value: Any) -> dict[str, Any]:
        """Return every table as a row, and everything else that was saved."""
        said = value or {}
        shown: dict[str, Any] = {}
        for line, (table, limits) in enumerate(said.get("tables", {}).items()):
            shown[f"t{line}_name"] = table
            for wager, span in limits.items():
                shown[f"t{line}_{wager}_low"], shown[f"t{line}_{wager}_high"] = span
        for id_, reading in said.get("interpretations", {}).items():
            shown[f"reading_{id_}"] = reading
        most = said.get("max_aggregate")
        if isinstance(most, int):
            shown["per_hand"] = most
        for kind, amounts in (("aggregate", most), ("banker", said.get("banker_min"))):
            if isinstance(amounts, dict):
                shown |= {f"{kind}_{wager}": cents for wager, cents in amounts.items()}
        chinese = said.get("chinese") or {}
        for kind, plural in (("bonus", "bonuses"), ("natural", "naturals")):
            shown |= {f"{kind}_{name}": n for name, n in chinese.get(plural, {}).items()}
        alone = ("scoring", "surrender", "largest_unit")
        return shown | {name: chinese[name] for name in alone if name in chinese}

    def clean(self) -> None:
        """Reject duplicate tables, incomplete limits, limits without a table, two aggregates."""
        names: dict[str, int] = {}
        for line in range(self._tables):
            self._check_line(line, names)
        if self.cleaned_data.get("per_hand") is not None and self._amounts("aggregate"):
            self.add_error("per_hand", "Give it for each hand or for each wager, not both.")

    def _check_line(self, line: int, names: dict[str, int]) -> None:
        said = self.cleaned_data
        name = said.get(f"t{line}_name", "")
        if name in names:
            msg = f"{name} is already in line {names[name]}."
            self.add_error(f"t{line}_name", msg)
        elif name:
            names[name] = line + 1
            if not name.isascii():
                msg = "Names of tables are plain letters and digits, as the log writes them."
                self.add_error(f"t{line}_name", msg)
        for wager in self.wagers:
            low, high = (f"t{line}_{wager}_{end}" for end in ("low", "high"))
            given = [said.get(low), said.get(high)]
            if {low, high} & self.errors.keys():
                continue
            if (given[0] is None) != (given[1] is None):
                missing = low if given[0] is None else high
                self.add_error(missing, "Give both, the minimum and the maximum.")
            elif given[0] is not None and given[1] is not None and given[0] > given[1]:
                self.add_error(high, "The maximum is below the minimum.")
            elif given[0] is not None and not name and f"t{line}_name" not in self.errors:
                self.add_error(f"t{line}_name", "Name the table that has these limits.")

    @property
    def value(self) -> Any:
        """Return the game as stored in the controls, without empty values."""
        said = self.cleaned_data
        kept: dict[str, Any] = {"tables": self._kept_tables()}
        readings = {
            name.removeprefix("reading_"): chosen
            for name, chosen in said.items()
            if name.startswith("reading_") and chosen
        }
        most = said.get("per_hand")
        parts = {
            "interpretations": readings,
            "max_aggregate": most if most is not None else self._amounts("aggregate"),
            "banker_min": self._amounts("banker"),
        }
        kept |= {name: each for name, each in parts.items() if each or each == 0}
        return kept | self._kept_points()

    def _kept_tables(self) -> dict[str, dict[str, list[int]]]:
        said = self.cleaned_data
        tables: dict[str, dict[str, list[int]]] = {}
        for line in range(self._tables):
            if name := said[f"t{line}_name"]:
                spans = {
                    wager: [said[f"t{line}_{wager}_low"], said[f"t{line}_{wager}_high"]]
                    for wager in self.wagers
                }
                tables[name] = {key: span for key, span in spans.items() if span[0] is not None}
        return tables

    def _amounts(self, kind: str) -> dict[str, int]:
        found = {wager: self.cleaned_data.get(f"{kind}_{wager}") for wager in self.wagers}
        return {wager: cents for wager, cents in found.items() if cents is not None}

    def _kept_points(self) -> dict[str, Any]:
        if self.rules.slug != CHINESE:
            return {}
        said = self.cleaned_data
        kept: dict[str, Any] = {"scoring": said["scoring"]} if said["scoring"] else {}
        for kind, plural, names in (
            ("bonus", "bonuses", BONUS_NAMES),
            ("natural", "naturals", NATURALS),
        ):
            points = {name: said[f"{kind}_{name}"] for name in names}
            if given := {name: n for name, n in points.items() if n is not None}:
                kept[plural] = given
        for name in ("surrender", "largest_unit"):
            if said[name] is not None:
                kept[name] = said[name]
        return {"chinese": kept} if kept else {}


def _points(label: str) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=MOST_POINTS, required=False)


def _said(word: str) -> str:
    return word.replace("_", " ")
