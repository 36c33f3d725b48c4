from audits.models.case import Case, CaseItem, CaseNote, CaseRemoval
from audits.models.gambling_day import GamblingDay, NightlyWatch, StandingRelease
from audits.models.hand_in import HandIn, Piece
from audits.models.pattern import Finding, Pattern, PatternNight, PatternVisibility
from audits.models.replay import Replay, ReplaySegment
from audits.models.review import Cover, Decision, Proposal, ReviewNote, SavedFilter, Work
from audits.models.round_log import RejectedCause, RoundLog
from audits.models.segment import Segment
from audits.models.visit import Look, Visit, VisitDifference, VisitEnd, VisitItem

__all__ = [
    "Case",
    "CaseItem",
    "CaseNote",
    "CaseRemoval",
    "Cover",
    "Decision",
    "Finding",
    "GamblingDay",
    "HandIn",
    "Look",
    "NightlyWatch",
    "Pattern",
    "PatternNight",
    "PatternVisibility",
    "Piece",
    "Proposal",
    "RejectedCause",
    "Replay",
    "ReplaySegment",
    "ReviewNote",
    "RoundLog",
    "SavedFilter",
    "Segment",
    "StandingRelease",
    "Visit",
    "VisitDifference",
    "VisitEnd",
    "VisitItem",
    "Work",
]
