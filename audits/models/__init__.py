from audits.models.answer_paper import AnswerPaper
from audits.models.case import Case, CaseItem, CaseNote, CaseRemoval
from audits.models.comparison import ReplayComparison
from audits.models.disclosure import Disclosure, DisclosurePaper
from audits.models.gambling_day import GamblingDay, NightlyWatch, StandingRelease
from audits.models.hand_in import HandIn, Piece
from audits.models.pattern import (
    Finding,
    Pattern,
    PatternClause,
    PatternNight,
    PatternVisibility,
)
from audits.models.replay import Replay, ReplaySegment
from audits.models.restitution import RestitutionPaper, RestitutionPayment
from audits.models.review import Cover, Decision, Proposal, ReviewNote, SavedFilter, Work
from audits.models.round_log import RejectedCause, RoundLog
from audits.models.segment import Segment
from audits.models.visit import Look, Visit, VisitDifference, VisitEnd, VisitItem

__all__ = [
    "AnswerPaper",
    "Case",
    "CaseItem",
    "CaseNote",
    "CaseRemoval",
    "Cover",
    "Decision",
    "Disclosure",
    "DisclosurePaper",
    "Finding",
    "GamblingDay",
    "HandIn",
    "Look",
    "NightlyWatch",
    "Pattern",
    "PatternClause",
    "PatternNight",
    "PatternVisibility",
    "Piece",
    "Proposal",
    "RejectedCause",
    "Replay",
    "ReplayComparison",
    "ReplaySegment",
    "RestitutionPaper",
    "RestitutionPayment",
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
