"""The event type of the watch."""

from compliance.events.types import event_type

ALARMS_CHANGED = event_type(
    "watch.alarms_changed",
    "The watch of {party} through {day}: {raised} alarms raised, {ended} ended",
    carries={
        "day": "last gambling day on file",
        "raised": "how many alarms are new",
        "ended": "how many earlier ones no longer stand, because a log was corrected",
        "streams": "how many streams are watched",
        "codes": "codes of the alarms that stand, each once",
    },
)
