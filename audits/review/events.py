"""Event types of agents' work on issues, cases and visits, and of operators' reports."""

from compliance.events.types import event_type

CLAIMED = event_type("issue.claimed", "{actor} took {object} to their queue, due on {due}",
    carries={"due": "date by which it must be decided"})  # fmt: skip
ASSIGNED = event_type(
    "issue.assigned",
    "{actor} gave {object} to {person}",
    carries={"person": "UUID of the assignee, or nobody"},
)
ESCALATED = event_type("issue.escalated", "{actor} put {object} before the supervisor",
    needs_reason=True)  # fmt: skip
COVERED = event_type(
    "issue.covered",
    "{actor} arranged cover from {first} to {last}",
    carries={
        "absent": "UUID of the absent person",
        "covering": "UUID of the deputy",
        "first": "first day",
        "last": "last day",
    },
)
COVER_ENDED = event_type("issue.cover_ended", "{actor} ended the cover of {absent}",
    carries={"absent": "UUID of the absent person"})  # fmt: skip
PROPOSED = event_type(
    "issue.decision_proposed",
    "{actor} proposed for {object}: {state}; a second person decides",
    carries={"state": "state that is proposed"},
    needs_reason=True,
    signed=True,
)
PROPOSAL_REFUSED = event_type(
    "issue.proposal_refused",
    "{actor} did not agree to what was proposed for {object}: {state}",
    carries={"state": "state that was proposed"},
    needs_reason=True,
)
DECIDED = event_type(
    "issue.decided",
    "{object}, by {actor}",
    carries={"issue": "UUID of the issue", "was": "state before", "state": "state after"},
    needs_reason=True,
    signed=True,
)
WAIVER_ENDED = event_type(
    "issue.waiver_ended",
    "The waiver of {object} ended on {until}: it is before the agent again",
    carries={"until": "last day of the waiver"},
)
ANSWERED = event_type(
    "issue.answered",
    "{actor} answered what the commission asked: {object}",
    carries={"issue": "UUID of the issue"},
    needs_reason=True,
    open_to_party=True,
)
SPLIT = event_type(
    "issue.split",
    "{actor} split {findings} findings off {object}",
    carries={"issue": "UUID of the new issue", "findings": "how many it began with"},
    needs_reason=True,
)
SPLIT_OFF = event_type(
    "issue.split_off",
    "{actor} split {object} off another issue",
    carries={"issue": "UUID of the issue that it was part of"},
    needs_reason=True,
)
MERGED = event_type(
    "issue.merged",
    "{actor} merged {object} into another issue",
    carries={"issue": "UUID of the issue that has its findings now"},
    needs_reason=True,
)
ABSORBED = event_type(
    "issue.absorbed",
    "{actor} merged another issue into {object}",
    carries={"issue": "UUID of the issue whose findings it took over"},
    needs_reason=True,
)
NOTED = event_type("issue.noted", "{actor} noted something: {object}")

CASE_OPENED = event_type("case.opened", "{actor} opened {object}", needs_reason=True)
CASE_WRITTEN = event_type(
    "case.written", "{actor} wrote {object}", carries={"edition": "how often it was saved"}
)
CASE_GATHERED = event_type("case.gathered", "{actor} gathered: {object}")
CASE_ITEM_REMOVED = event_type("case.item_removed", "{actor} removed: {object}", needs_reason=True)
CASE_LED = event_type(
    "case.lead_named",
    "{actor} named {person} as the lead agent of {object}",
    carries={"person": "UUID of the lead agent"},
)
CASE_TASK_ADDED = event_type(
    "case.task_added",
    "{actor} added the task {object} for {person}, due {due}",
    carries={"person": "UUID of the assignee", "due": "day by which it is due"},
)
CASE_TASK_DONE = event_type("case.task_done", "{actor} finished the task {object}")
CASE_SEALED = event_type(
    "case.sealed",
    "{actor} sealed {exhibits} exhibits: {object}",
    carries={"sha256": "SHA-256 of the file", "exhibits": "how many exhibits it has"},
)
COMPLAINT_RECEIVED = event_type(
    "case.complaint_received", "{actor} recorded a player's complaint in {object}"
)
COMPLAINT_SEARCHED = event_type(
    "case.complaint_searched",
    "{actor} recorded the round of the complaint in {object}: {round}",
    carries={"round": "the round, or that none is on file"},
)
COMPLAINT_ANSWERED = event_type(
    "case.complaint_answered", "{actor} answered the complaint in {object}", needs_reason=True
)
CASE_NOTED = event_type("case.noted", "{actor} wrote a {object}")
CASE_LEVEL = event_type(
    "case.level_recommended",
    "{actor} recommended for {object}: {level}",
    carries={"level": "level in the commission's words"},
    needs_reason=True,
)
CASE_CLOSED = event_type("case.closed", "{actor} closed {object}", needs_reason=True)
CASE_REOPENED = event_type("case.reopened", "{actor} opened {object} again", needs_reason=True)


DISCLOSED = event_type(
    "disclosure.made",
    "{actor} reported an irregularity of {day}: {object}",
    carries={"day": "gambling day on which it happened"},
    open_to_party=True,
)
RESTITUTION_PAID = event_type(
    "restitution.paid",
    "{actor} confirmed on {paid_on} as paid: {object}",
    carries={"cents": "what was paid", "paid_on": "day on which it was paid"},
    open_to_party=True,
)


VISIT_PLANNED = event_type(
    "visit.planned",
    "{actor} planned a visit for {day}: {object}",
    carries={"day": "day on which it is planned"},
)
VISIT_CANCELED = event_type("visit.canceled", "{actor} canceled a {object}", needs_reason=True)
BEGUN = event_type(
    "visit.begun",
    "{actor} began the {object}",
    carries={"items": "how many items to inspect"},
)
LOOKED = event_type("visit.looked", "{actor} looked at {object}")
ENDED = event_type(
    "visit.ended",
    "{actor} wrote the {object}: {as_approved} as approved, {differs} not, "
    "{not_looked_at} not looked at",
    carries={
        "as_approved": "how many items were as approved",
        "differs": "how many were not",
        "not_looked_at": "how many were not inspected",
    },
)
