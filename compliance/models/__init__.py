from compliance.models.api_key import ApiKey, KeptAnswer
from compliance.models.approval import (
    Approval,
    Condition,
    ConditionMark,
    Denial,
    GameRequest,
    RequestComment,
    Withdrawal,
)
from compliance.models.attachment import ControlsAttachment, RequestAttachment
from compliance.models.compact import Compact, CompactValue
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
from compliance.models.party import Party
from compliance.models.person import Person
from compliance.models.visibility import PartyVisibility, Visibility

__all__ = [
    "ActorKind",
    "ApiKey",
    "Approval",
    "Checkpoint",
    "Compact",
    "CompactValue",
    "Condition",
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
    "Game",
    "GameRequest",
    "History",
    "HistoryError",
    "Invitation",
    "KeptAnswer",
    "LawAddition",
    "LawVerification",
    "Leaf",
    "Licence",
    "LicenceChange",
    "Membership",
    "Party",
    "PartyVisibility",
    "Person",
    "PersonalData",
    "Recorded",
    "RequestAttachment",
    "RequestComment",
    "RuleVersion",
    "RuleVersionDocument",
    "Subtree",
    "Visibility",
    "Waiting",
    "Withdrawal",
]
