"""The JSON Schema of the lines of a definition's game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.families.set.form import form_of_definition
from games.families.stud.schema import object_schema
from games.log.schema import HOUSE, LATEST, RESULTS, SEAT, SEAT_SINCE_VERSION_2, SEATS, WAGERS

if TYPE_CHECKING:
    from games.definition import Definition
    from games.families.set.form import SetForm

Json = dict[str, Any]

NOT_CHECKED = (
    "One line of a round log. Not checked here: that no key or seat number appears twice, that the"
    " banker has a seat, and that nothing is nested more than 8 deep."
)


def line_schema(definition: Definition) -> Json:
    """Return the JSON Schema of a line: played or void, banked by the house or by a player."""
    form = form_of_definition(definition)
    banked = (False, True) if form.banked else (False,)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Round log of {definition.name}, version {LATEST}",
        "description": NOT_CHECKED,
        "anyOf": [
            _round(form, void=void, banked=by_player)
            for by_player in banked
            for void in (False, True)
        ],
    }


def _round(form: SetForm, *, void: bool, banked: bool) -> Json:
    schema = object_schema((*form.round, *(form.banked if banked else ())), void=void)
    properties = schema["properties"]
    properties["v"] = {"const": LATEST}
    properties["void"] = {"type": "string" if void else "null"}
    house = (*form.house, *(form.banked_house if banked else ()))
    properties["house"] = {**object_schema(house, void=void), "description": HOUSE.says}
    properties["seats"] = {
        "description": SEATS.says,
        "type": "array",
        "items": _seat(form, void=void),
        "minItems": 1,
    }
    schema["required"] += ["v", "seats", *(["void"] if void else ["house"])]
    if banked:
        schema["required"].append("banker")
    return schema


def _seat(form: SetForm, *, void: bool) -> Json:
    schema = object_schema((*SEAT, *SEAT_SINCE_VERSION_2, *form.seat), void=void)
    for field, inside in ((WAGERS, form.wagers), (RESULTS, form.results)):
        schema["properties"][field.key] = {
            **object_schema(inside, void=void),
            "description": field.says,
        }
        schema["required"].append(field.key)
    return schema
