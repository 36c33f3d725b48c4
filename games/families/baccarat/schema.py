"""The JSON Schema of the lines of a definition's game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.families.baccarat.form import CARRIED, HAND_FIELDS, HANDS, form_of_definition
from games.families.stud.schema import object_schema
from games.log.schema import LATEST, RESULTS, SEAT, SEAT_SINCE_VERSION_2, SEATS, WAGERS

if TYPE_CHECKING:
    from games.definition import Definition
    from games.families.baccarat.form import BaccaratForm

Json = dict[str, Any]

NOT_CHECKED = (
    "One line of a round log. Not checked here: that no key or seat number appears twice, that a"
    " wager that runs over several rounds is in `carried`, and that nothing is nested more than 8"
    " deep."
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


def _round(form: BaccaratForm, *, void: bool) -> Json:
    schema = object_schema(form.round, void=void)
    properties = schema["properties"]
    properties["v"] = {"const": LATEST}
    properties["void"] = {"type": "string" if void else "null"}
    properties["hands"] = {**object_schema(HAND_FIELDS, void=void), "description": HANDS.says}
    properties["seats"] = {
        "description": SEATS.says,
        "type": "array",
        "items": _seat(form, void=void),
    }
    schema["required"] += ["v", "seats", "void" if void else "hands"]
    return schema


def _seat(form: BaccaratForm, *, void: bool) -> Json:
    schema = object_schema((*SEAT, *SEAT_SINCE_VERSION_2), void=void)
    for field, inside in ((WAGERS, form.wagers), (RESULTS, form.results)):
        schema["properties"][field.key] = {
            **object_schema(inside, void=void),
            "description": field.says,
        }
        schema["required"].append(field.key)
    if form.carried:
        schema["properties"][CARRIED.key] = {
            "type": "object",
            "description": CARRIED.says,
            "properties": {
                key: object_schema(fields, void=False) for key, fields in form.carried.items()
            },
            "patternProperties": {"^x_": True},
            "additionalProperties": False,
        }
    return schema
