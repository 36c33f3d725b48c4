"""Event types of letter templates."""

from compliance.events.types import event_type

TEMPLATE_SAVED = event_type(
    "letter_template.saved",
    "{actor} changed the letter template of {party}",
)
WORDS_KEPT = event_type(
    "letter.worded",
    "{actor} set the words of the letter about a decision",
    carries={"decision": "the approval or denial"},
)
