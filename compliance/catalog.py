"""The catalog of tables: which ones are bound to the event log, and why the others are not.

Every table is exactly one of these:

- *history*: its rows are only added, and triggers guard them (`compliance.history`);
- *bound*: each event keeps the digests of the rows that changed with it;
- *sealed*: bound as well, but only once its rows are final;
- *derived*: its rows can be made again from files and history;
- *excluded*, with a reason.

A table of ours that is not history is bound unless it is named here. A table of a library must be
named here; a test fails for one that is not. `docs/reference/tables.md` is generated from this.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.apps import apps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import Field, Model


class UnderWay(NamedTuple):
    """States of rows that a worker is still changing, and the fields that change meanwhile.

    These fields are left out of the digest until the row reaches another state, which happens with
    an event.
    """

    states: frozenset[str]
    fields: frozenset[str]


@dataclass(frozen=True)
class Bound:
    """How the rows of a table are bound to the event log."""

    left_out: Mapping[str, str]
    """Fields that are never in the digest, each with the reason."""
    personal: frozenset[str]
    """Fields whose digest is kept with the event's personal data, and erased with it."""
    under_way: UnderWay | None
    is_sealed: bool = False
    """Its rows are bound only when `changes.seal` says that they are final."""


EXCLUDED: Mapping[str, str] = {
    "account.EmailConfirmation": "A link in an email that was not used yet; it expires.",
    "audits.Piece": "A piece of a file that is still arriving; the whole file is hashed.",
    "audits.SavedFilter": "A person's own shortcut to a list.",
    "auth.Group": "Not used: permissions follow from roles.",
    "auth.Group_permissions": "Not used: permissions follow from roles.",
    "auth.Permission": "Not used: permissions follow from roles.",
    "compliance.Cosignature": "A witness's signature, which proves itself.",
    "compliance.ControlsDraft": "A draft that an operator is still writing; what is submitted is "
    "history.",
    "compliance.DefinitionDraft": "A definition that its author is still writing; what is filed is "
    "history.",
    "compliance.Job": "Work to do, with leases.",
    "compliance.KeptAnswer": "A cache of answers to programs, for one day.",
    "compliance.KnownDevice": "A browser's cookie, which changes with every sign-in.",
    "compliance.LastRun": "When a task last ran.",
    "compliance.Notice": "A notification; what it is about has its own event.",
    "compliance.NoticeMail": "An email about notifications.",
    "compliance.SiemCursor": "How far a receiver has read the event log.",
    "compliance.SignInLimit": "Counts of wrong passwords, for one day.",
    "compliance.Waiting": "Events without a place in the log yet; `verify log` checks their seals.",
    "compliance.WitnessState": "Health: how a witness answers; what it holds it signed itself.",
    "compliance.WebhookDelivery": "A notification to a program, removed after some weeks.",
    "contenttypes.ContentType": "Names of tables, written by `migrate`.",
    "project.ArchiveSpace": "Health: free disk space.",
    "project.Heartbeat": "Health: the last sign of life of a task.",
    "project.MachineClock": "Health: how far clocks differ.",
    "project.RefusedCount": "Health: messages that were set aside.",
    "project.RefusedMessage": "Health: messages that were set aside.",
    "project.RestartedPart": "Health: parts that were restarted.",
    "reports.ReportOrder": "Work to do; the report it leads to is history.",
    "sessions.Session": "Sessions.",
    "socialaccount.SocialApp": "Not used: the identity provider comes from the configuration.",
    "socialaccount.SocialToken": "Not used: tokens of the identity provider are not kept.",
    "usersessions.UserSession": "Sessions.",
}

UNUSED = ("auth.Group", "socialaccount.SocialApp", "socialaccount.SocialToken")
"""Excluded tables of libraries that have to be empty: an identity provider in the database would
sign people in."""

DERIVED: Mapping[str, str] = {
    "compliance.DefinitionOdds": "Counted by the engine from a filed definition.",
    "audits.Finding": "Copied from the findings files of a replay. For `night.*`, an event keeps a "
    "digest of what the day lacks. Alarms of the watch, and what visits found, are not compared.",
    "audits.IssueClause": "The clauses that an issue's findings cite.",
    "audits.IssueNight": "Counted in the findings files of the gambling day's current replay.",
    "audits.IssuePart": "Counted in the same files by table, code, wager and line.",
    "audits.ReplayComparison": "Compared from the findings files of two replays.",
    "audits.WatchedGame": "Summed over the operator's watched segments.",
    "audits.WatchedSegment": "Counted in the rounds of the segment, and in the findings of its "
    "day's current replay.",
}

SEALED: Mapping[str, Mapping[str, Any]] = {
    "audits.ReplaySegment": {"replay__state": "done"},
    # Reports that people only find in their list are sent by nobody, and have no event.
    "reports.Delivery": {
        "state__in": ("sent", "failed", "not_sent"),
        "way__in": ("mail", "folder"),
    },
}
"""Tables whose rows workers change without events until they are final, and when they are."""

LEFT_OUT: Mapping[str, Mapping[str, str]] = {
    "audits.GamblingDay": {
        "looked_through": "the nightly run's place in the segments",
        "newest_record": "the nightly run's place in the records of tables",
    },
    "audits.Issue": {
        **dict.fromkeys(
            ("findings", "rounds", "over", "under", "tested", "explained", "first", "last"),
            "summed from its nights",
        ),
        **dict.fromkeys(("table", "wager", "line"), "the only one of its parts"),
        "impact": "its severity and its money",
        **dict.fromkeys(("headline", "diagnosis"), "what its cause is called"),
    },
    "audits.NightlyWatch": {"looked": "when the nightly run last checked"},
    "compliance.ApiKey": {
        "last_used": "noted at requests",
        "last_address": "noted at requests",
        "due": "the allowance of requests",
    },
    "compliance.CalendarFeed": {"due": "the allowance of requests"},
    "compliance.Person": {"last_login": "each sign-in has its event"},
    "compliance.Webhook": {
        "failing_since": "noted at deliveries",
        "last_taken": "noted at deliveries",
    },
    "reports.Delivery": {"seen": "noted when the person opens the report"},
    "mfa.Authenticator": {"last_used_at": "each sign-in has its event"},
    "socialaccount.SocialAccount": {
        "last_login": "each sign-in has its event",
        "extra_data": "what the identity provider said at the last sign-in",
    },
}

UNDER_WAY: Mapping[str, UnderWay] = {
    "audits.Replay": UnderWay(
        frozenset({"waiting", "running", "settling"}), frozenset({"state", "begun", "standings"})
    ),
    "audits.Submission": UnderWay(
        frozenset({"receiving", "waiting", "reading"}),
        frozenset(
            {
                *("state", "received", "announced_sha256", "sha256", "step", "progress"),
                *("lines", "failure", "arrived", "changed"),
            }
        ),
    ),
    "reports.Delivery": UnderWay(
        frozenset({"waiting"}), frozenset({"state", "reason", "attempts", "ended"})
    ),
}

OF_LIBRARIES: Mapping[str, frozenset[str]] = {
    "account.EmailAddress": frozenset({"email"}),
    "mfa.Authenticator": frozenset({"data"}),
    "socialaccount.SocialAccount": frozenset({"uid"}),
}
"""Bound tables of libraries, each with its personal fields."""


@cache
def find_binding(model: type[Model]) -> Bound | None:
    """Return how a table is bound to the event log; None if it is not."""
    label = model._meta.label
    if label in OF_LIBRARIES:
        personal = OF_LIBRARIES[label]
    elif getattr(model, "is_current", False) and label not in EXCLUDED and label not in DERIVED:
        personal = frozenset(getattr(model, "personal_fields", ()))
    else:
        return None
    return Bound(LEFT_OUT.get(label, {}), personal, UNDER_WAY.get(label), label in SEALED)


def bound_models() -> list[type[Model]]:
    """List the tables whose rows are bound to the event log, by name."""
    found = [each for each in apps.get_models(include_auto_created=True) if find_binding(each)]
    return sorted(found, key=lambda model: model._meta.label)


def bound_fields(model: type[Model]) -> list[Field[Any, Any]]:
    """Return the fields of a bound table that are part of its rows' state."""
    binding = find_binding(model)
    left_out = binding.left_out if binding else {}
    return [field for field in model._meta.concrete_fields if field.name not in left_out]
