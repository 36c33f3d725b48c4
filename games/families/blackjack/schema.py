"""The JSON Schema of the lines of a definition's game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.families.blackjack.form import (
    HAND,
    HANDS,
    MOST_ACTIONS,
    MOST_HANDS,
    form_of_definition,
)
from games.families.blackjack.round import ACTIONS
from games.families.stud.schema import object_schema
from games.log.schema import HOUSE, LATEST, RESULTS, SEAT, SEAT_SINCE_VERSION_2, SEATS, WAGERS

if TYPE_CHECKING:
    from games.definition import Definition
    from games.families.blackjack.form import BlackjackForm

Json = dict[str, Any]

NOT_CHECKED = (
    "One line of a round log. Not checked here: that no key or seat number appears twice, that a"
    " hand was split from an earlier one, and that nothing is nested more than 8 deep."
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


def _round(form: BlackjackForm, *, void: bool) -> Json:
    schema = object_schema(form.round, void=void)
    properties = schema["properties"]
    properties["v"] = {"const": LATEST}
    properties["void"] = {"type": "string" if void else "null"}
    properties["house"] = {**object_schema(form.house, void=void), "description": HOUSE.says}
    properties["seats"] = {
        "description": SEATS.says,
        "type": "array",
        "items": _seat(form, void=void),
        "minItems": 1,
    }
    schema["required"] += ["v", "seats", "void" if void else "house"]
    return schema


def _seat(form: BlackjackForm, *, void: bool) -> Json:
    schema = object_schema((*SEAT, *SEAT_SINCE_VERSION_2), void=void)
    properties = schema["properties"]
    for field, inside in ((WAGERS, form.wagers), (RESULTS, form.results)):
        properties[field.key] = {**object_schema(inside, void=void), "description": field.says}
        schema["required"].append(field.key)
    properties[HANDS.key] = {
        "description": HANDS.says,
        "type": "array",
        "items": _hand(),
        "minItems": 1,
        "maxItems": MOST_HANDS,
    }
    if not void:
        schema["required"].append(HANDS.key)
    return schema


def _hand() -> Json:
    cards, wager, split_from, actions = HAND
    schema = object_schema((cards, wager), void=False)
    schema["properties"][split_from.key] = {
        "description": split_from.says,
        "type": ["integer", "null"],
        "minimum": 0,
        "maximum": MOST_HANDS - 1,
    }
    schema["properties"][actions.key] = {
        "description": actions.says,
        "type": "array",
        "items": {"enum": list(ACTIONS)},
        "maxItems": MOST_ACTIONS,
    }
    schema["required"].append(actions.key)
    return schema
