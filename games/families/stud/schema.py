"""The JSON Schema of the lines of a definition's game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.families.bonuses import bonuses_of
from games.families.stud.form import CHOICES, form_of_definition
from games.log.reference import type_schema
from games.log.schema import (
    HOUSE,
    LATEST,
    RESULTS,
    SEAT,
    SEAT_SINCE_VERSION_2,
    SEATS,
    WAGERS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.definition import Definition
    from games.families.stud.form import StudForm
    from games.log.schema import Field

Json = dict[str, Any]

NOT_CHECKED = (
    "One line of a round log. Not checked here: that no key or seat number appears twice, that"
    " every choice that was due is there, that a dealer's hand is there unless every hand was"
    " folded, and that nothing is nested more than 8 deep."
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


def _round(form: StudForm, *, void: bool) -> Json:
    schema = object_schema(form.round, void=True)
    properties = schema["properties"]
    properties["v"] = {"const": LATEST}
    properties["void"] = {"type": "string" if void else "null"}
    if form.house:
        properties["house"] = {**object_schema(form.house, void=True), "description": HOUSE.says}
    properties["seats"] = {
        "description": SEATS.says,
        "type": "array",
        "items": _seat(form, void=void),
        "minItems": 1,
    }
    schema["required"] += ["v", "seats", *(["void"] if void else [])]
    meters = [each.meter for each in bonuses_of(form.definition).jackpots]
    if meters and not void:
        schema["required"].append("meters")
        properties["meters"] = {**properties["meters"], "required": meters}
    return schema


def _seat(form: StudForm, *, void: bool) -> Json:
    schema = object_schema((*SEAT, *SEAT_SINCE_VERSION_2, *form.seat), void=void)
    for field, inside in (
        (WAGERS, form.wagers),
        (RESULTS, form.results),
        (CHOICES, form.choices),
    ):
        if inside:
            schema["properties"][field.key] = {
                **object_schema(inside, void=void),
                "description": field.says,
            }
            if field is not CHOICES or not void:
                schema["required"].append(field.key)
    return schema


def object_schema(fields: Iterable[Field], *, void: bool) -> Json:
    """Return the JSON Schema of an object of these fields; a void round may omit cards."""
    listed = list(fields)
    return {
        "type": "object",
        "properties": {
            field.key: {"description": field.says, **type_schema(field.type)} for field in listed
        },
        "required": [
            field.key
            for field in listed
            if not field.optional and not (void and field.void_may_omit)
        ],
        "patternProperties": {"^x_": True},
        "additionalProperties": False,
    }
