"""Approval and denial letters, commercial and tribal, made from the decision itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings

from compliance.access.models import Membership, Party, Person
from compliance.access.permissions import Action, PartyKind, Role
from compliance.filings.controls.content import read_content
from compliance.filings.controls.models import ControlsVersion
from compliance.filings.games.models import RuleVersion
from compliance.filings.games.named_tables import STANDARD, named_pay_tables, odds_to_one
from compliance.filings.letters.forms import OPENING
from compliance.filings.letters.reads import template_of, words_of_letter
from compliance.filings.requests.approvals import open_questions
from compliance.filings.requests.models import Approval, Denial, GameRequest
from compliance.filings.requests.reads import game_names
from games.explanation.words import describe_name
from reports.documents.registry import (
    PUBLIC,
    About,
    DocumentKind,
    ReportContent,
    register,
)
from reports.documents.wording import day, dollars, filing_of, instant, local
from reports.rendering.blocks import (
    Align,
    Column,
    Facts,
    Heading,
    Points,
    Rows,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.filings.letters.models import LetterWords
    from reports.rendering.blocks import Block


@dataclass(frozen=True)
class Wording:
    """Wording of a letter for one kind of approval."""

    title: str
    verb: str
    noun: str = "approval"
    then: str = ""
    """What it does not settle yet."""


WORDINGS = {
    Approval.Kind.COMMISSION: Wording("Approval of {subject}", "has approved"),
    Approval.Kind.VERBAL: Wording(
        "Verbal approval of {subject}",
        "has approved verbally, to be confirmed in writing,",
    ),
    Approval.Kind.AGENCY: Wording(
        "Approval by {by_party} of {subject}",
        "has approved, as the tribe's gaming agency,",
        then=" It is played once the commission has concurred.",
    ),
    Approval.Kind.CONCURRENCE: Wording(
        "Concurrence in the approval of {subject}",
        "has concurred in the approval, by the tribe's gaming agency, of",
        noun="concurrence",
    ),
}

SWAPPED = "2009-01-01"
"""Before this day, the rule on authorizing games was WAC 230-15-035 (WSR 08-21-086)."""


def gather_approval(about: About, words: LetterWords | None = None) -> dict[str, Any]:
    """Read an approval: its subject, who gave it, and its conditions.

    `words` are those of a template that is tried out; by default, the letter's own.
    """
    approval = _approval(about)
    words = words or words_of_letter(approval.uuid)
    data = {
        "kind": approval.kind,
        "by_party": approval.by_party.name,
        "at": local(approval.at),
        "in_effect_from": local(approval.in_effect_from),
        "digest": approval.digest,
        "note": approval.note,
        "path": approval.path,
        "conditions": [condition.says for condition in approval.conditions.all()],
        **_parties(approval.party, approval.by_party, approval.by, words),
    }
    if approval.subject_type == ControlsVersion._meta.label_lower:
        version = ControlsVersion.objects.get(uuid=approval.subject)
        return data | {
            "subject": str(version),
            "controls": {"number": version.number, "limits": _limits(version)},
        }
    rules = RuleVersion.objects.select_related("game").get(uuid=approval.subject)
    return data | {
        "subject": str(rules),
        "rules": filing_of(rules),
        "definition": rules.definition or "",
        "interpretations": _interpretations(approval, rules),
        "pay_tables": [
            {
                "table": table,
                "name": name,
                "lines": [[line, odds_to_one(to)] for line, to in lines.items()],
            }
            for names in named_pay_tables(rules).values()
            for name, each in names.items()
            for table, lines in each.lines.items()
        ],
    }


def _denier(denial: Denial) -> Party:
    """Return who denied it: the tribe's agency, or a unit of the commission."""
    request = denial.request
    by_agency = request.path == GameRequest.Path.TRIBAL and (
        request.state != GameRequest.State.OBJECTED
    )
    if by_agency and request.asked_by.agency:
        agency: Party = request.asked_by.agency
        return agency
    units = Party.objects.filter(
        kind=PartyKind.COMMISSION_UNIT, memberships__person__uuid=denial.by
    )
    unit: Party | None = units.order_by("name").first()
    return unit or Party.objects.filter(kind=PartyKind.COMMISSION_UNIT).order_by("name")[0]


def _parties(holder: Party, by: Party, signer: UUID, own: LetterWords | None) -> dict[str, Any]:
    """Read the letterhead, to whom and from whom the letter is, and who gets a copy."""
    unit = by.kind == PartyKind.COMMISSION_UNIT
    people = Membership.objects.filter(party=holder, ended__isnull=True).select_related("person")
    addressee = people.filter(role__in=ADDRESSED).order_by("since", "pk").first()
    person = Person.objects.filter(uuid=signer).first()
    member = Membership.objects.filter(party=by, person=person).order_by("since", "pk").last()
    words = own or template_of(by)
    letterhead = words.letterhead.splitlines()
    signature = words.signature.splitlines() or filter(
        None, (person and person.name, member and member.get_role_display(), by.name)
    )
    name = person.name if person else by.name
    ask = f"If you have any questions, please contact {name} at {person.email}." if person else ""
    return {
        "holder": holder.name,
        "addressee": addressee.person.name if addressee else "",
        "letterhead": letterhead or ([settings.AGENCY_NAME, by.name] if unit else [by.name]),
        "opening": words.opening or OPENING,
        "contacts": words.contacts.splitlines() or [ask],
        "signature": list(signature),
        "distribution": words.copies.splitlines() or _distribution(holder),
    }


ADDRESSED = (Role.OPERATOR_MANAGER, Role.SUPPLIER, Role.AGENCY_REVIEWER)
"""Roles of the person to whom a party's letter is addressed."""


def _limits(version: ControlsVersion) -> list[list[Any]]:
    """Read the approved limits by game, table and wager."""
    names, (content, _) = game_names(), read_content(version.content)
    return [
        [names.get(slug, slug), table, wager, low, high]
        for slug, game in content.games.items()
        for table, wagers in game.tables.items()
        for wager, (low, high) in (wagers or {"": (0, 0)}).items()
    ]


def _controls(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield what controls were approved: games, tables and limits."""
    if "controls" not in data:
        return
    limits: dict[tuple[str, ...], list[str]] = {}
    for game, table, wager, low, high in data["controls"]["limits"]:
        shown = ("All wagers", "–", "–") if not wager else (
            describe_name(wager), dollars(low), dollars(high)
        )  # fmt: skip
        limits.setdefault((game, *shown), []).append(table)
    yield Rows(
        "limits",
        "Approved games, tables and limits",
        (
            Column("Game"),
            Column("Tables"),
            Column("Wager"),
            Column("Minimum", Align.NUMBERS),
            Column("Maximum", Align.NUMBERS),
        ),
        tuple((game, ", ".join(limits[game, *row]), *row) for game, *row in limits),
        "No game is named.",
    )


def _interpretations(approval: Approval, rules: RuleVersion) -> list[dict[str, Any]]:
    """Read how the approver reads each open question, and why."""
    questions = {each.id: each for each in open_questions(rules)}
    return [
        {
            "id": id_,
            "asks": questions[id_].asks,
            "says": questions[id_].readings[each["reading"]],
            "reason": each["reason"],
            "allowed": [questions[id_].readings[name] for name in each["allowed"]],
        }
        for id_, each in (approval.interpretations or {}).items()
        if id_ in questions
    ]


def _enclosures(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the approved pay tables, and how the approver reads each open question."""
    if data.get("pay_tables"):
        yield Heading("Enclosure: pay tables")
        yield Words("These lines are approved, and no others:")
        yield Rows(
            "pay-tables",
            "Approved pay tables",
            (Column("Pay table"), Column("Line"), Column("Pays, to 1", Align.NUMBERS)),
            tuple(
                (
                    describe_name(each["table"])
                    + ("" if each["name"] == STANDARD else f", {each['name']}"),
                    describe_name(line),
                    to,
                )
                for each in data["pay_tables"]
                for line, to in each["lines"]
            ),
        )
    if data.get("interpretations"):
        yield Heading("Enclosure: how open questions are read")
        yield Rows(
            "interpretations",
            "Interpretations",
            (Column("ID"), Column("Question"), Column("Interpretation"), Column("Reason")),
            tuple(
                (
                    each["id"],
                    each["asks"],
                    each["says"]
                    + (
                        f"\nInternal controls may choose: {'; '.join(each['allowed'])}"
                        if each["allowed"]
                        else "\nInternal controls may not choose otherwise."
                    ),
                    each["reason"],
                )
                for each in data["interpretations"]
            ),
        )


def compose_approval(data: Mapping[str, Any]) -> ReportContent:
    """Compose the letter of an approval."""
    wording = WORDINGS[Approval.Kind(data["kind"])]
    agency = data["kind"] == Approval.Kind.AGENCY
    who = data["by_party"] if agency else "the commission"
    blocks: list[Block] = [
        Words(f"Dear {data['addressee'] or data['holder']}:"),
        Words(data["opening"]),
        Words(
            f"Under {_rule(data)}, {who} {wording.verb} {data['subject']}, in effect from "
            f"{instant(data['in_effect_from'])}. The decision was made on "
            f"{instant(data['at'])}.{wording.then}"
        ),
        Heading(SECTIONS.get(data["path"], "Conditions")),
    ]
    if data["conditions"]:
        blocks += [
            Words(f"This {wording.noun} holds under the following conditions:"),
            Points(tuple(data["conditions"]), numbered=True),
        ]
    else:
        blocks.append(Words(f"This {wording.noun} has no conditions."))
    blocks += _in_tribal_casinos(data)
    if data["note"]:
        blocks.append(Words(data["note"]))
    enclosed = tuple(_enclosures(data))
    blocks += [
        *_controls(data),
        *_about_the_rules(data),
        Words(
            f"This {wording.noun} is of exactly one state of the filing, which the digest at the "
            f"end names{' with the enclosures' if enclosed else ''}. A change is a new version and "
            f"needs one of its own: contact us before you make one.{_may_be_withdrawn(data)}"
        ),
        *_closing(data),
        *enclosed,
        Words("Digests", quiet=True),
        Facts(
            (
                ("Digest", data["digest"]),
                *((("Definition", data["definition"]),) if data.get("definition") else ()),
                *_file_digests(data),
            ),
            Align.CODES,
        ),
    ]
    return _letter(data, wording.title.format(**data), blocks)


IN_TRIBAL_CASINOS = (
    "Each tribal operation asks the gaming agency of its tribe for approval.",
    "The agency asks for our concurrence before the game is played.",
    "Besides the rules, the submission to us contains what Appendix A, Section 18 of the "
    "Tribal-State Compact asks for.",
    "Makers and distributors of layouts and equipment are certified by the state and licensed by "
    "the tribe before they sell any.",
)
"""What a supplier's game needs besides; the tribal path itself asks for each."""


def _in_tribal_casinos(data: Mapping[str, Any]) -> Iterator[Block]:
    if data["path"] == GameRequest.Path.COMMERCIAL and "rules" in data:
        yield Heading("Tribal casinos")
        yield Words("The same rules of play may be approved for tribal casinos, on these terms:")
        yield Points(IN_TRIBAL_CASINOS, numbered=True)


SECTIONS = {
    GameRequest.Path.COMMERCIAL: "Commercial card rooms",
    GameRequest.Path.TRIBAL: "Tribal casinos",
}


def _letter(data: Mapping[str, Any], title: str, blocks: Sequence[Block]) -> ReportContent:
    to, date = data["addressee"] or data["holder"], day(data["at"][:10])
    addressed = tuple(dict.fromkeys(filter(None, (date, data["addressee"], data["holder"]))))
    return ReportContent(
        title=title,
        blocks=tuple(blocks),
        addressed=addressed,
        letterhead=tuple(data["letterhead"]),
        running=(to, date),
    )


def gather_denial(about: About) -> dict[str, Any]:
    """Read a denial or objection: its subject, its reason, and who decided."""
    denial = _denial(about)
    request = denial.request
    return {
        "state": request.state,
        "path": request.path,
        "reasons": denial.reasons,
        "at": local(denial.at),
        "agency": request.asked_by.agency.name if request.asked_by.agency else "",
        "subject": str(request.rule_version),
        "rules": filing_of(request.rule_version),
        **_parties(request.asked_by, _denier(denial), denial.by, words_of_letter(denial.uuid)),
    }


def compose_denial(data: Mapping[str, Any]) -> ReportContent:
    """Compose the letter of a denial or an objection."""
    objected = data["state"] == GameRequest.State.OBJECTED
    agency = data["path"] == GameRequest.Path.TRIBAL and not objected
    who = data["agency"] if agency else "the commission"
    title = "Objection to" if objected else f"Denial by {who} of" if agency else "Denial of"
    what = "objects to the concurrence sought in" if objected else "denies the request to approve"
    if data["path"] == GameRequest.Path.TRIBAL:
        next_step = (
            "The tribe and the state may meet on this matter as the compact provides; a request "
            "that answers these reasons can be submitted at any time."
        )
    else:
        next_step = (
            "A request that answers these reasons can be submitted at any time. Chapter 34.05 RCW "
            "and chapter 230-17 WAC tell whether and how this decision can be reviewed."
        )
    blocks: list[Block] = [
        Words(f"Dear {data['addressee'] or data['holder']}:"),
        Words(data["opening"]),
        Words(
            f"Under {_rule(data)}, {who} {what} {data['subject']}, which may not be offered on the "
            f"ground of this request. The decision was made on {instant(data['at'])}."
        ),
        Heading("Reasons"),
        Words(data["reasons"]),
        Heading("What you can do"),
        Words(next_step),
        *_about_the_rules(data),
        *_closing(data),
        Words("Digests", quiet=True),
        Facts(tuple(_file_digests(data)), Align.CODES),
    ]
    return _letter(data, f"{title} {data['subject']}", blocks)


def _approval(about: About) -> Approval:
    approvals = Approval.objects.select_related("party__agency", "by_party")
    return about.find("approval", approvals)


def _denial(about: About) -> Denial:
    denials: QuerySet[Denial] = Denial.objects.select_related(
        "request__rule_version__game", "request__asked_by__agency"
    )
    return about.find("denial", denials)


def _about_the_rules(data: Mapping[str, Any]) -> Iterable[Block]:
    rules = data.get("rules")
    if rules is None:
        return
    documents = (
        f"{document['title']}, dated {day(document['day'])} "
        f"({'binding' if document['binding'] else 'evidence'})"
        for document in rules["papers"]
    )
    yield Words(
        f"The filing is version {rules['number']} of the rules of {rules['game']}, with documents "
        f"of {day(rules['as_of'])}: {'; '.join(documents)}."
    )


def _file_digests(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for document in (data.get("rules") or {"papers": ()})["papers"]:
        for file in document["files"]:
            yield file["name"], file["sha256"]


def _closing(data: Mapping[str, Any]) -> Iterable[Block]:
    """Yield contacts, signature and copies."""
    for line in data["contacts"]:
        if line:
            yield Words(line)
    yield Words("Sincerely,")
    yield Words("\n".join(data["signature"]))
    yield Words("Copies:")
    yield Points(tuple(data["distribution"]))


def _rule(data: Mapping[str, Any]) -> str:
    """Return the rule it was decided under, as numbered on that day."""
    if data["path"] == GameRequest.Path.TRIBAL:
        return "the compact and its appendices"
    if data["path"] == GameRequest.Path.COMMERCIAL:
        return "WAC 230-15-040" if data["at"] >= SWAPPED else "WAC 230-15-035"
    return "WAC 230-15-430 and WAC 230-15-440"


def _may_be_withdrawn(data: Mapping[str, Any]) -> str:
    if data["path"] != GameRequest.Path.COMMERCIAL:
        return ""
    return (
        " The commission may withdraw an authorization, with notice and reasons (WAC 230-15-045)."
    )


def _distribution(holder: Party) -> list[str]:
    """Return the recipients of a decision, each once: those concerned and commission units."""
    units = Party.objects.filter(kind=PartyKind.COMMISSION_UNIT).order_by("name")
    return list(dict.fromkeys(party.name for party in (*_concerned(holder), *units)))


def _concerned(holder: Party) -> list[Party]:
    """Return the holder, and the agency that regulates it."""
    return [holder, *([holder.agency] if holder.agency else [])]


def _holder(about: About) -> list[Party]:
    return _concerned(_approval(about).party)


def _asker(about: About) -> list[Party]:
    return _concerned(_denial(about).request.asked_by)


APPROVAL_LETTER = register(
    DocumentKind(
        name="approval_letter",
        title="Letter of approval or concurrence",
        letters="AL",
        action=Action.SEE_FILINGS,
        gather=gather_approval,
        compose=compose_approval,
        shown_to=_holder,
        travels=True,
        marking=PUBLIC,
    )
)
DENIAL_LETTER = register(
    DocumentKind(
        name="denial_letter",
        title="Letter of denial or objection",
        letters="DL",
        action=Action.SEE_FILINGS,
        gather=gather_denial,
        compose=compose_denial,
        shown_to=_asker,
        travels=True,
        marking=PUBLIC,
    )
)
LETTERS = (APPROVAL_LETTER.name, DENIAL_LETTER.name)
"""Kinds that are made for each decision."""
