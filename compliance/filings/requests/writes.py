"""Submit requests for approval, take their steps, and fill in a compact's checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from django.db import IntegrityError, transaction

from compliance import clock
from compliance.access.permissions import COMMISSION_ROLES, Action, PartyKind
from compliance.access.reads import OWN, require
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.events.record import record
from compliance.filings.definitions.coverage import is_being_proven, open_sentences
from compliance.filings.documents.models import Document
from compliance.filings.documents.reads import WHOLE
from compliance.filings.documents.writes import file_document, require_citable
from compliance.filings.games.reads import sections_of_request
from compliance.filings.letters.writes import keep_words
from compliance.filings.requests import events
from compliance.filings.requests.approvals import (
    ChosenReading,
    NewCondition,
    give_approval,
    require_readings,
)
from compliance.filings.requests.models import (
    Approval,
    ChecklistDocument,
    CompactTick,
    Condition,
    Denial,
    GameRequest,
    RequestAttachment,
    RequestComment,
)
from compliance.filings.requests.reads import get_checklist
from compliance.filings.requests.steps import STEPS
from compliance.law.business_days import last_day

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date

    from django.db.models import QuerySet

    from compliance.access.models import Party, Person
    from compliance.filings.documents.models import DocumentVersion
    from compliance.filings.documents.writes import ReceivedFile
    from compliance.filings.games.models import RuleVersion
    from compliance.filings.licenses.models import CompactItem


DAYS_TO_SUPPLY = 30  # WAC 230-06-050(3)

STANDARD_CONDITIONS: dict[GameRequest.Path, tuple[NewCondition, ...]] = {
    GameRequest.Path.COMMERCIAL: (
        NewCondition(
            Condition.Kind.AS_FILED, "The game is played under the rules of play as filed."
        ),
        NewCondition(
            Condition.Kind.CONTROLS_FIRST,
            "Each operator's internal controls are approved before it offers the game.",
        ),
        NewCondition(
            Condition.Kind.LICENSED_MAKERS,
            "Makers and distributors of layouts and equipment are licensed by the state first.",
        ),
        NewCondition(
            Condition.Kind.NO_MARKETING,
            "The game is not marketed in the state before its supplier is licensed.",
        ),
        NewCondition(
            Condition.Kind.SUBSTANTIAL_INTEREST,
            "The review of substantial interest holders in the game is completed (WAC 230-03-045).",
        ),
    ),
    GameRequest.Path.TRIBAL: (
        NewCondition(
            Condition.Kind.AS_FILED, "The game is played under the rules of play as filed."
        ),
        NewCondition(
            Condition.Kind.AGENCY_FIRST, "The tribe's gaming agency approves the game first."
        ),
        NewCondition(
            Condition.Kind.COMPACT_SUPPLEMENT,
            "The submission holds what the compact's appendix asks for besides.",
        ),
        NewCondition(
            Condition.Kind.LICENSED_MAKERS,
            "Makers and distributors of equipment are certified by the state and licensed by "
            "the tribe first.",
        ),
    ),
}


LEFT_SHOWN = 3
"""How many unread sentences an error names."""

IF_NEEDED = frozenset({Condition.Kind.SUBSTANTIAL_INTEREST, Condition.Kind.AGENCY_FIRST})
"""Standard conditions that an approval has only if the approver chooses them."""


def usual_conditions(path: GameRequest.Path) -> tuple[NewCondition, ...]:
    """Return the conditions that an approval has unless the approver chooses others."""
    return tuple(each for each in STANDARD_CONDITIONS[path] if each.kind not in IF_NEEDED)


@transaction.atomic
def submit_request(
    *,
    rule_version: RuleVersion,
    path: GameRequest.Path,
    asked_by: Party,
    by: Person,
    replaces: bool = False,
) -> GameRequest:
    """Request approval of a rule version: from the commission, or as an operation from its agency.

    With `replaces`, withdraws the party's requests for other versions of the game, if they can be
    withdrawn.

    Rejects another party's game; an operation without the commission's approval of the game; a
    second request while one is open.
    """
    require(by, Action.REQUEST_APPROVAL, asked_by)
    game = rule_version.game
    if path == GameRequest.Path.COMMERCIAL:
        if game.supplier_id is not None and game.supplier_id != asked_by.pk:
            msg = f"{game} is not {asked_by}'s to ask for."
            raise RefusedError(msg)
    else:
        if asked_by.kind != PartyKind.TRIBAL_OPERATION:
            msg = "On the tribal path a tribe's operation asks its agency."
            raise RefusedError(msg)
        if not _approved(rule_version):
            msg = f"The commission has not approved {rule_version}; it can be asked for after that."
            raise RefusedError(msg)
    request = GameRequest(
        uuid=uuid4(),
        rule_version=rule_version,
        path=path,
        asked_by=asked_by,
        state=GameRequest.State.SUBMITTED,
        since=clock.now(),
    )
    try:
        with transaction.atomic():
            request.save()
    except IntegrityError as twice:
        msg = f"{rule_version} has been asked for already."
        raise RefusedError(msg) from twice
    record(
        events.REQUESTED,
        by=by,
        party=asked_by,
        about=request,
        carries={"path": request.get_path_display()},
    )
    if replaces:
        for earlier in replaceable(path, asked_by).filter(rule_version__game=game):
            if earlier.rule_version_id != rule_version.pk and is_own(earlier, by):
                take_step(
                    request=earlier,
                    name="take_back",
                    reason=f"{rule_version} is asked for instead.",
                    by=by,
                )
    return request


def replaceable(path: GameRequest.Path, asked_by: Party) -> QuerySet[GameRequest]:
    """Return a party's requests on a path that it could withdraw now."""
    found: QuerySet[GameRequest] = GameRequest.objects.filter(
        path=path, asked_by=asked_by, state__in=STEPS["take_back"].of
    ).select_related("rule_version__game")
    return found


@transaction.atomic
def take_step(*, request: GameRequest, name: str, reason: str, by: Person) -> GameRequest:
    """Take a step without a decision: ask for missing items, start review, pass on, withdraw.

    Rejects a step that the state does not allow, including after a concurrent step by another user;
    closing before the days to supply are over; a step without a reason; a step for the filer taken
    by another party; interests cleared by the filer.
    """
    if name in {"approve", "deny", "approve_as_agency", "deny_as_agency", "concur", "object"}:
        msg = f"{STEPS[name].label} is a decision: it has a service of its own."
        raise ValueError(msg)
    _require_step(request, name, by)
    today = clock.today()
    if name == "close" and request.due is not None and today <= request.due:
        msg = f"There is time until {request.due} to supply what is missing (WAC 230-06-050(3))."
        raise RefusedError(msg)
    due = last_day(today, DAYS_TO_SUPPLY) if name == "miss" else None
    _move(request, name, reason, by, due=due)
    return request


@transaction.atomic
def comment_on(
    *,
    request: GameRequest,
    text: str,
    by: Person,
    by_party: Party,
    section: str = WHOLE,
    papers: Sequence[DocumentVersion] = (),
) -> RequestComment:
    """Comment on one section of a request, for those who may see it; may cite documents."""
    require(by, Action.COMMENT_ON_REQUESTS, by_party)
    if not any(held.party_id == by_party.pk for held in memberships_of(by)):
        msg = f"You have no role in {by_party}."
        raise NotAllowedError(msg)
    if section not in sections_of_request(request.rule_version):
        msg = f"There is no section {section!r}."
        raise RefusedError(msg)
    if not text.strip():
        msg = "There is nothing in this comment."
        raise RefusedError(msg)
    require_citable(papers, of=[by_party, request.asked_by], by=by)
    made = RequestComment(
        request=request,
        section=section,
        text=text,
        by=by.uuid,
        by_party=by_party,
        at=clock.now(),
    )
    made.save()
    for place, paper in enumerate(papers):
        RequestAttachment(comment=made, paper=paper, place=place).save()
    record(
        events.COMMENTED,
        by=by,
        party=request.asked_by,
        about=made,
        carries={"section": section, "text": text},
    )
    return made


@transaction.atomic
def approve_request(
    *,
    request: GameRequest,
    seen: str,
    by: Person,
    conditions: Sequence[NewCondition] | None = None,
    interpretations: Sequence[ChosenReading] = (),
    unchecked: Collection[str] = (),
    note: str = "",
    despite: str = "",
    letter: Mapping[str, str] | None = None,
) -> Approval:
    """Approve a request as the commission or the agency does, or concur, whichever is next.

    The commission's approval says how each open question of the rules is read, and why; `unchecked`
    are the places of the sentences that no check covers, which the approver has read. `despite` is
    why the commission concurs although an item of the compact's checklist is not met; it is
    printed with the note. `letter` has the words of the letter; without it, its agency's template
    does.

    Rejects what `give_approval` rejects; one's own filing; a step that the state does not allow; an
    open question without a reading and a reason; a sentence that no check covers and that was not
    read, and an approval before that is known; concurrence past an unmet item without a reason.
    """
    name, kind = _decision(request)
    _require_step(request, name, by)
    if kind == Approval.Kind.CONCURRENCE:
        note = _explain_unmet(request, note, despite)
    decides = kind == Approval.Kind.COMMISSION
    if decides:
        require_readings(request.rule_version, interpretations)
        note = _note_unchecked(request.rule_version, unchecked, note)
    path = GameRequest.Path(request.path)
    _move(request, name, note or STEPS[name].label, by)
    party = deciding_party(request, by)
    approval = give_approval(
        kind=kind,
        path=path,
        subject=request.rule_version,
        seen=seen,
        party=request.asked_by,
        by=by,
        by_party=party,
        in_effect_from=clock.now(),
        conditions=usual_conditions(path) if conditions is None else conditions,
        interpretations=interpretations if decides else None,
        note=note,
    )
    if letter is not None:
        keep_words(decision=approval.uuid, party=party, words=letter, by=by)
    return approval


@transaction.atomic
def refuse_request(
    *, request: GameRequest, reasons: str, by: Person, letter: Mapping[str, str] | None = None
) -> Denial:
    """Deny a request, or object to it, with reasons. Rejects what `approve_request` rejects.

    `letter` has the words of the letter; without it, its agency's template does.
    """
    name = {"approve": "deny", "approve_as_agency": "deny_as_agency", "concur": "object"}[
        _decision(request)[0]
    ]
    _require_step(request, name, by)
    _move(request, name, reasons, by)
    denial = Denial(request=request, reasons=reasons, by=by.uuid, at=clock.now())
    denial.save()
    record(
        events.DENIED,
        by=by,
        party=request.asked_by,
        about=denial,
        reason=reasons,
        carries={"state": request.get_state_display()},
    )
    if letter is not None:
        keep_words(decision=denial.uuid, party=deciding_party(request, by), words=letter, by=by)
    return denial


def _note_unchecked(version: RuleVersion, read: Collection[str], note: str) -> str:
    """Return the note with how many sentences the approver read because no check covers them."""
    if is_being_proven(version):
        msg = (
            f"The checks of {version} are being proven. Approve it when its page “Coverage” shows "
            "which sentences of its documents no check covers; this takes some minutes."
        )
        raise RefusedError(msg)
    open_now = open_sentences(version)
    left = [words for place, words in open_now if place not in read]
    if left:
        msg = (
            "No check covers these sentences of the documents. Read each of them and say so: "
            f"{' '.join(left[:LEFT_SHOWN])}"
        )
        more = len(left) - LEFT_SHOWN
        raise RefusedError(f"{msg} And {more} more." if more > 0 else msg)
    if not open_now:
        return note
    line = f"The approver read the sentences that no check of the system covers: {len(open_now)}."
    return "\n".join(filter(None, (note, line)))


def _explain_unmet(request: GameRequest, note: str, despite: str) -> str:
    """Return the note with the items that are not met and why that is accepted."""
    unmet = [each.item.asks for each in get_checklist(request) if not each.is_met]
    if not unmet:
        return note
    if not despite.strip():
        msg = (
            f"The agency has not found these items of the compact: {'; '.join(unmet)}. Say why the "
            "commission concurs without them, or wait for them."
        )
        raise RefusedError(msg)
    missing = f"Concurred without: {'; '.join(unmet)}. Reason: {despite.strip()}"
    return "\n".join(filter(None, (note, missing)))


def _decision(request: GameRequest) -> tuple[str, Approval.Kind]:
    if request.path == GameRequest.Path.COMMERCIAL:
        return "approve", Approval.Kind.COMMISSION
    if request.state == GameRequest.State.SUBMITTED:
        return "approve_as_agency", Approval.Kind.AGENCY
    return "concur", Approval.Kind.CONCURRENCE


def _require_step(request: GameRequest, name: str, by: Person) -> None:
    step = STEPS[name]
    party = request.asked_by
    if step.action == Action.DECIDE_AS_AGENCY:
        assert party.agency is not None  # noqa: S101 - an operation has an agency
        party = party.agency
    require(by, step.action, party)
    if not step.is_for(own=is_own(request, by)):
        raise NotAllowedError(OWN if step.judges else f"This is {request.asked_by}'s to do.")
    if request.path not in step.paths or request.state not in step.of:
        msg = f"{step.label}: the request is {request.get_state_display().lower()}."
        raise RefusedError(msg)


def is_own(request: GameRequest, by: Person) -> bool:
    """Return whether a request is of the person's own party, or was entered by them.

    Licensing enters requests for others: the person who did leaves the decision to a colleague, and
    may supply what is missing or withdraw the request, as its party may.
    """
    entered = Event.objects.filter(type=events.REQUESTED.name, object=request.uuid, actor=by.uuid)
    of_party = any(held.party_id == request.asked_by_id for held in memberships_of(by))
    return of_party or entered.exists()


def deciding_party(request: GameRequest, by: Person) -> Party:
    """Return the party in whose name a person decides a request."""
    held = [
        each
        for each in memberships_of(by)
        if each.role in COMMISSION_ROLES or each.party_id == request.asked_by.agency_id
    ]
    return held[0].party


def _move(request: GameRequest, name: str, reason: str, by: Person, *, due: object = None) -> None:
    if not reason.strip():
        msg = "Say why."
        raise RefusedError(msg)
    step, before = STEPS[name], GameRequest.State(request.state)
    with without_access_scope():
        moved = GameRequest.objects.filter(pk=request.pk, state=before).update(
            state=step.to, due=due, since=clock.now()
        )
    if not moved:
        msg = "Another user took a step just now. Reload the request."
        raise RefusedError(msg)
    request.refresh_from_db()
    record(
        events.MOVED,
        by=by,
        party=request.asked_by,
        about=request,
        reason=reason,
        carries={"from_state": before.label, "to_state": step.to.label},
    )


def _approved(rule_version: RuleVersion) -> bool:
    with without_access_scope():
        return Approval.objects.filter(
            subject=rule_version.uuid, kind=Approval.Kind.COMMISSION
        ).exists()


@transaction.atomic
def add_checklist_document(
    *,
    request: GameRequest,
    item: CompactItem,
    received: Sequence[ReceivedFile],
    evidence_date: date,
    by: Person,
) -> ChecklistDocument:
    """Upload, as the operation, a document for one line of the compact's checklist.

    Rejects anyone but the filer; a line of another compact; a request that is no longer before the
    agency; files that can't be filed as a document.
    """
    require(by, Action.REQUEST_APPROVAL, request.asked_by)
    if request.state not in BEFORE_THE_AGENCY:
        msg = f"The request is {request.get_state_display().lower()}: its checklist is closed."
        raise RefusedError(msg)
    if item.pk not in {each.item.pk for each in get_checklist(request)}:
        msg = "The checklist holds the lines of the tribe's own compact. Choose from the list."
        raise RefusedError(msg)
    version = file_document(
        owner=request.asked_by,
        kind=Document.Kind.COMPACT_SUPPLEMENT,
        title=f"{request.rule_version.game}: {item.asks}"[:120],
        papers=received,
        evidence_date=evidence_date,
        by=by,
    )
    made = ChecklistDocument(
        request=request, item=item, document_version=version, by=by.uuid, at=clock.now()
    )
    made.save()
    record(
        events.CHECKLIST_DOCUMENT,
        by=by,
        party=request.asked_by,
        about=made,
        carries={"asks": item.asks, "document": str(version)},
    )
    return made


BEFORE_THE_AGENCY = frozenset({GameRequest.State.SUBMITTED, GameRequest.State.AGENCY_APPROVED})


@transaction.atomic
def tick_checklist(
    *, request: GameRequest, there: Collection[CompactItem], by: Person, note: str = ""
) -> list[CompactTick]:
    """Record which checklist lines a request meets; unchanged findings are not repeated.

    Rejects anyone but the tribe's agency; a line of another compact; a request that is no longer
    before the agency.
    """
    agency = request.asked_by.agency
    if agency is None:
        msg = "Only a tribe's agency ticks what its compact asks for."
        raise NotAllowedError(msg)
    require(by, Action.DECIDE_AS_AGENCY, agency)
    if request.state not in BEFORE_THE_AGENCY:
        msg = f"The request is {request.get_state_display().lower()}: its checklist is closed."
        raise RefusedError(msg)
    lines = get_checklist(request)
    found = {each.pk for each in there}
    if not found <= {each.item.pk for each in lines}:
        msg = "The checklist holds the lines of the tribe's own compact. Choose from the list."
        raise RefusedError(msg)
    made = []
    for each in lines:
        is_there = each.item.pk in found
        if each.tick is not None and each.tick.there == is_there:
            continue
        tick = CompactTick(
            request=request,
            item=each.item,
            there=is_there,
            note=note,
            by=by.uuid,
            at=clock.now(),
        )
        tick.save()
        made.append(tick)
        record(
            events.CHECKLIST_TICKED,
            by=by,
            party=request.asked_by,
            about=tick,
            carries={"asks": each.item.asks, "there": "there" if is_there else "not there"},
        )
    return made
