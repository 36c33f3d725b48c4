"""Who is told of logs, findings and questions; operators of nothing that was not released."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from django.db.models import Q
from django.urls import reverse

from audits.event_types import days, disclosures, review, round_logs
from audits.findings_in_words import code_in_words
from audits.models import Decision, Pattern, Work
from audits.selectors.questions import ASK, questions_on
from compliance.due_dates import DueDate, due_dates_from
from compliance.permissions import Action, may
from compliance.selectors.people import commission_units, who_may
from compliance.telling import Happened, NoticeKind, Telling, Way, notice_kind, tells_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from audits.models import Disclosure
    from compliance.models import Membership, Person

QUESTION = notice_kind(
    NoticeKind(
        name="question",
        label="The commission asks you something",
        mail="The commission asks you something.",
        action=Action.ANSWER_QUESTIONS,
        usual=Way.AT_ONCE,
        for_programs=True,
    )
)
ANSWER = notice_kind(
    NoticeKind(
        name="answer",
        label="An operator answered what you asked",
        mail="A question was answered.",
        action=Action.REVIEW_FINDINGS,
        usual=Way.AT_ONCE,
        for_programs=True,
    )
)
GIVEN = notice_kind(
    NoticeKind(
        name="pattern_given",
        label="A pattern was given to you",
        mail="A pattern was given to you.",
        action=Action.REVIEW_FINDINGS,
        usual=Way.AT_ONCE,
    )
)
PROPOSED = notice_kind(
    NoticeKind(
        name="decision_proposed",
        label="A decision waits for a second person, or yours was not agreed to",
        mail="A decision waits for a second person.",
        action=Action.REVIEW_FINDINGS,
        usual=Way.DAILY,
    )
)
LATE = notice_kind(
    NoticeKind(
        name="pattern_late",
        label="A pattern is before the supervisors, or late",
        mail="A pattern is before the supervisors.",
        action=Action.REVIEW_FINDINGS,
        usual=Way.DAILY,
    )
)
RELEASED = notice_kind(
    NoticeKind(
        name="findings_released",
        label="Findings were released to you",
        mail="Findings were released to you.",
        action=Action.SEE_RELEASED,
        usual=Way.AT_ONCE,
        for_programs=True,
    )
)
RESTITUTION = notice_kind(
    NoticeKind(
        name="restitution",
        label="Players are owed money by what was released to you",
        mail="Players are owed money.",
        action=Action.CONFIRM_RESTITUTION,
        usual=Way.AT_ONCE,
        for_programs=True,
    )
)
REJECTED = notice_kind(
    NoticeKind(
        name="log_rejected",
        label="A round log, or lines of it, was not taken",
        mail="A round log, or lines of it, was not taken.",
        action=Action.HAND_IN_ROUNDS,
        usual=Way.AT_ONCE,
        for_programs=True,
    )
)
TAKEN = notice_kind(
    NoticeKind(
        name="log_registered",
        label="A round log was put on file",
        mail="A round log was put on file.",
        action=Action.HAND_IN_ROUNDS,
        usual=Way.NEVER,
        for_programs=True,
    )
)
DISCLOSED = notice_kind(
    NoticeKind(
        name="disclosure",
        label="An operator reported something of its own accord",
        mail="An operator reported something of its own accord.",
        action=Action.REVIEW_FINDINGS,
        usual=Way.DAILY,
        for_programs=True,
    )
)


@tells_of(review.DECIDED)
def of_decision(happened: Happened) -> Iterable[Telling]:
    """Tell the operator of a question on what was released; of no other decision."""
    decision: Decision = happened.about
    if decision.step == ASK and decision.pattern.released is not None:
        yield _question(decision.pattern, decision.until)


@tells_of(days.PATTERN_RELEASED)
def of_release(happened: Happened) -> Iterable[Telling]:
    """Tell the operator and its agency, and of the question that waited for the release."""
    pattern: Pattern = happened.about
    standing = happened.carries["standing"] == "yes"
    for party in filter(None, (pattern.party, pattern.party.agency)):
        yield Telling(
            kind=RELEASED,
            to=who_may(Action.SEE_RELEASED, party),
            says="New findings are released to you as they come."
            if standing
            else f"Findings were released to you: {_named(pattern)}.",
            link=reverse("patterns") if standing else reverse("pattern", args=[pattern.uuid]),
            programs=[party],
            numbers={"pattern": pattern.uuid},
        )
    if _is_owed(pattern):
        yield _restitution(pattern)
    asked = questions_on(pattern)
    if pattern.state == Pattern.State.INFORMATION_REQUESTED and asked:
        yield _question(pattern, asked[0].until)


@tells_of(days.DAY_RELEASED)
def of_released_day(happened: Happened) -> Iterable[Telling]:
    """Tell the operator that the report of a day is open to it."""
    day = date.fromisoformat(happened.carries["day"])
    yield Telling(
        kind=RELEASED,
        to=who_may(Action.SEE_RELEASED, happened.party),
        says=f"The report of the gambling day {day:%b %-d, %Y} was released to you.",
        link=reverse("reports"),
        programs=[happened.party] if happened.party else [],
    )


@tells_of(review.ANSWERED)
def of_answer(happened: Happened) -> Iterable[Telling]:
    """Tell whoever asked, and whoever has the pattern now."""
    pattern: Pattern = happened.about.pattern
    asked = Decision.objects.filter(pattern=pattern, step=ASK).values("by")
    who = Q(person__uuid__in=asked) | Q(person__work__pattern=pattern)
    yield Telling(
        kind=ANSWER,
        to=who_may(Action.REVIEW_FINDINGS).filter(who).distinct(),
        says=f"{pattern.party} answered what was asked: {_named(pattern)}.",
        link=reverse("pattern", args=[pattern.uuid]),
        programs=commission_units(),
        numbers={"pattern": pattern.uuid},
    )


@tells_of(review.PROPOSED)
def of_proposal(happened: Happened) -> Iterable[Telling]:
    """Tell everybody who could agree to it."""
    pattern: Pattern = happened.about
    yield Telling(
        kind=PROPOSED,
        to=who_may(Action.REVIEW_FINDINGS),
        says=f"A second person is to agree, at {pattern.party}: {_named(pattern)}.",
        link=reverse("pattern", args=[pattern.uuid]),
    )


@tells_of(review.PROPOSAL_REFUSED)
def of_refused_proposal(happened: Happened) -> Iterable[Telling]:
    """Tell whoever proposed it, and why it was not agreed to."""
    pattern: Pattern = happened.about
    yield Telling(
        kind=PROPOSED,
        to=who_may(Action.REVIEW_FINDINGS).filter(person=pattern.proposal.by),
        says=f"What you proposed at {pattern.party} was not agreed to: {_named(pattern)}. "
        f"{happened.event.reason}",
        link=reverse("pattern", args=[pattern.uuid]),
    )


@tells_of(review.ASSIGNED)
def of_assignment(happened: Happened) -> Iterable[Telling]:
    """Tell whom a pattern was given to."""
    pattern: Pattern = happened.about
    given_to = happened.carries["person"]
    if given_to != "nobody":
        yield Telling(
            kind=GIVEN,
            to=who_may(Action.REVIEW_FINDINGS).filter(person__uuid=given_to),
            says=f"You were given, at {pattern.party}: {_named(pattern)}.",
            link=reverse("pattern", args=[pattern.uuid]),
        )


@tells_of(review.ESCALATED)
def of_escalation(happened: Happened) -> Iterable[Telling]:
    """Tell the supervisors, and whoever has the pattern."""
    pattern: Pattern = happened.about
    supervisors = Q(pk__in=who_may(Action.ASSIGN_FINDINGS).values("pk"))
    who = supervisors | Q(person__work__pattern=pattern)
    yield Telling(
        kind=LATE,
        to=who_may(Action.REVIEW_FINDINGS).filter(who).distinct(),
        says=f"Before the supervisors: {_named(pattern)} at {pattern.party}. "
        f"{happened.event.reason}",
        link=reverse("pattern", args=[pattern.uuid]),
    )


@tells_of(disclosures.DISCLOSED)
def of_disclosure(happened: Happened) -> Iterable[Telling]:
    """Tell the agents."""
    disclosure: Disclosure = happened.about
    yield Telling(
        kind=DISCLOSED,
        to=who_may(Action.REVIEW_FINDINGS),
        says=f"{disclosure.party} reported something about {disclosure.day:%b %-d, %Y}.",
        link=reverse("disclosure", args=[disclosure.uuid]),
        programs=commission_units(),
        numbers={"disclosure": disclosure.uuid},
    )


@tells_of(round_logs.REGISTERED)
def of_registered_log(happened: Happened) -> Iterable[Telling]:
    """Tell programs of a log, and whoever hands logs in of lines that were not taken."""
    number, parties = {"round_log": happened.about.uuid}, [happened.party] if happened.party else []
    link = reverse("round_log", args=[happened.about.uuid])
    yield Telling(
        kind=TAKEN,
        to=who_may(Action.HAND_IN_ROUNDS, happened.party),
        says=f"{happened.carries['name']} is on file.",
        link=link,
        programs=parties,
        numbers=number,
    )
    rejected = happened.carries["rejected"]
    if rejected:
        says = f"{rejected:,} of {happened.carries['lines']:,} lines of {happened.carries['name']}"
        yield Telling(
            kind=REJECTED,
            to=who_may(Action.HAND_IN_ROUNDS, happened.party),
            says=f"{says} were not taken.",
            link=link,
            actor_too=True,
            programs=parties,
            numbers=number,
        )


@tells_of(round_logs.REFUSED)
def of_refused_log(happened: Happened) -> Iterable[Telling]:
    """Tell whoever hands logs in of one that was not taken at all."""
    yield Telling(
        kind=REJECTED,
        to=who_may(Action.HAND_IN_ROUNDS, happened.party),
        says=f"{happened.carries['name']} was not taken: {happened.event.reason}",
        link=reverse("hand_in_run", args=[happened.about.uuid]),
        actor_too=True,
        programs=[happened.party] if happened.party else [],
        numbers={"hand_in": happened.about.uuid},
    )


@due_dates_from
def patterns_due(person: Person, memberships: Collection[Membership]) -> Iterable[DueDate]:
    """Patterns on one's own desk."""
    units = [held.party_id for held in memberships if may([held], Action.REVIEW_FINDINGS)]
    if not units:
        return
    work = Work.objects.filter(assigned_to=person, pattern__open=True, unit__in=units)
    for each in work.select_related("pattern"):
        yield DueDate(
            key=f"pattern-{each.pattern.uuid}",
            on=each.due,
            says=f"Decide: {_named(each.pattern)}",
            outside="Decide a pattern on your desk",
            link=reverse("pattern", args=[each.pattern.uuid]),
            party=each.unit_id,
        )


def _question(pattern: Pattern, until: date | None) -> Telling:
    by = f" Answer by {until:%b %-d, %Y}." if until else ""
    return Telling(
        kind=QUESTION,
        to=who_may(Action.ANSWER_QUESTIONS, pattern.party),
        says=f"The commission asks about this: {_named(pattern)}.{by}",
        link=reverse("pattern", args=[pattern.uuid]),
        programs=[pattern.party],
        numbers={"pattern": pattern.uuid},
    )


def _restitution(pattern: Pattern) -> Telling:
    """Where it is paid, and by when: the one day, or the list of days."""
    from audits.selectors.restitution_paid import due_of

    days = list(
        pattern.nights.filter(findings__gt=0, under__gt=0)
        .order_by("day")
        .values_list("day", flat=True)
    )
    until = by = ""
    if days and pattern.released is not None:
        until = f" To be paid by {due_of(days[0], pattern.released):%b %-d, %Y}."
    if len(days) == 1:
        by = reverse("restitution", args=[pattern.party.code, f"{days[0]:%Y-%m-%d}"])
    return Telling(
        kind=RESTITUTION,
        to=who_may(Action.CONFIRM_RESTITUTION, pattern.party),
        says=f"Players received too little: {_named(pattern)}.{until}",
        link=by or reverse("restitution_days"),
        programs=[pattern.party],
        numbers={"pattern": pattern.uuid},
    )


def _is_owed(pattern: Pattern) -> bool:
    """Whether its findings say that players received too little."""
    # Brings Arrow along, which every process that starts would load.
    from audits.selectors.restitution import is_owed

    lacking = {"code": pattern.code, "wager": pattern.wager, "delta": -abs(pattern.under)}
    return is_owed(lacking)


def _named(pattern: Pattern) -> str:
    """A pattern as one line names it: what went wrong, and where."""
    at = f", table {pattern.table}" if pattern.table else ""
    return f"{code_in_words(pattern.code).rstrip('.')}{at}"
