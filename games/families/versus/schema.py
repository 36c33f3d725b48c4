"""The JSON Schema of the lines of a definition's game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.families.stud.schema import object_schema
from games.families.versus.form import NO_WAGERS, form_of_definition
from games.log.schema import LATEST, RESULTS, SEAT, SEAT_SINCE_VERSION_2, SEATS

if TYPE_CHECKING:
    from games.definition import Definition
    from games.families.versus.form import VersusForm

Json = dict[str, Any]

NOT_CHECKED: Final = (
    "One line of a round log. Not checked here: that no key or seat number appears twice, that"
    " actions and pots name seats of the round, and that nothing is nested more than 8 deep."
)


def line_schema(definition: Definition) -> Json:
    """Return the JSON Schema of a line, played or void."""
    form = form_of_definition(definition)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Round log of {definition.name}, version {LATEST}",
        "description": NOT_CHECKED,
        "anyOf": [_round(form, void=False), _round(form, void=True)],
    }


def _round(form: VersusForm, *, void: bool) -> Json:
    schema = object_schema(form.round, void=void)
    properties = schema["properties"]
    properties["v"] = {"const": LATEST}
    properties["void"] = {"type": "string" if void else "null"}
    properties["seats"] = {
        "description": SEATS.says,
        "type": "array",
        "items": _seat(form, void=void),
        "minItems": 1,
    }
    schema["required"] += ["v", "seats", *(["void"] if void else [])]
    return schema


def _seat(form: VersusForm, *, void: bool) -> Json:
    schema = object_schema((*SEAT, *SEAT_SINCE_VERSION_2, *form.seat), void=void)
    result = {**object_schema(form.results, void=void), "description": RESULTS.says}
    schema["properties"][RESULTS.key] = result
    schema["properties"][NO_WAGERS.key] = {
        **object_schema((), void=void),
        "description": NO_WAGERS.says,
    }
    schema["required"].append(RESULTS.key)
    return schema
