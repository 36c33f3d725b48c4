from compliance.models.api_key import ApiKey, KeptAnswer
from compliance.models.approval import (
    Approval,
    Condition,
    ConditionAnswer,
    ConditionMark,
    Denial,
    GameRequest,
    RequestComment,
    Withdrawal,
)
from compliance.models.attachment import (
    ConditionAttachment,
    ControlsAttachment,
    RequestAttachment,
)
from compliance.models.compact import Compact, CompactItem, CompactTick, CompactValue
from compliance.models.controls import (
    ControlsComment,
    ControlsDraft,
    ControlsFiling,
    ControlsVersion,
    ControlsVisit,
)
from compliance.models.document import (
    Document,
    DocumentFile,
    DocumentText,
    DocumentVersion,
    DocumentVisibility,
)
from compliance.models.event import ActorKind, Event, PersonalData, Waiting
from compliance.models.filing_desk import FilingInHand, FilingNote, Queue
from compliance.models.game import (
    DocumentFinding,
    FiledPayLine,
    Game,
    RuleVersion,
    RuleVersionDocument,
)
from compliance.models.invitation import Invitation
from compliance.models.kinds import Current, History, HistoryError, Recorded
from compliance.models.law import LawAddition, LawVerification
from compliance.models.leaf import Checkpoint, Leaf, Subtree
from compliance.models.licence import Licence, LicenceChange
from compliance.models.membership import Membership
from compliance.models.notice import CalendarFeed, Notice, NoticeChoice, NoticeMail
from compliance.models.party import Party
from compliance.models.person import Person
from compliance.models.retention import HoldLifted, LegalHold, Removal, Tombstone
from compliance.models.visibility import PartyVisibility, Visibility
from compliance.models.webhook import Webhook, WebhookDelivery

__all__ = [
    "ActorKind",
    "ApiKey",
    "Approval",
    "CalendarFeed",
    "Checkpoint",
    "Compact",
    "CompactItem",
    "CompactTick",
    "CompactValue",
    "Condition",
    "ConditionAnswer",
    "ConditionAttachment",
    "ConditionMark",
    "ControlsAttachment",
    "ControlsComment",
    "ControlsDraft",
    "ControlsFiling",
    "ControlsVersion",
    "ControlsVisit",
    "Current",
    "Denial",
    "Document",
    "DocumentFile",
    "DocumentFinding",
    "DocumentText",
    "DocumentVersion",
    "DocumentVisibility",
    "Event",
    "FiledPayLine",
    "FilingInHand",
    "FilingNote",
    "Game",
    "GameRequest",
    "History",
    "HistoryError",
    "HoldLifted",
    "Invitation",
    "KeptAnswer",
    "LawAddition",
    "LawVerification",
    "Leaf",
    "LegalHold",
    "Licence",
    "LicenceChange",
    "Membership",
    "Notice",
    "NoticeChoice",
    "NoticeMail",
    "Party",
    "PartyVisibility",
    "Person",
    "PersonalData",
    "Queue",
    "Recorded",
    "Removal",
    "RequestAttachment",
    "RequestComment",
    "RuleVersion",
    "RuleVersionDocument",
    "Subtree",
    "Tombstone",
    "Visibility",
    "Waiting",
    "Webhook",
    "WebhookDelivery",
    "Withdrawal",
]
