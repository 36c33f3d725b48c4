from audits.intake.days.models import GamblingDay, NightlyWatch
from audits.intake.mapping.models import LogMapping
from audits.intake.models import Piece, RejectedCause, RoundLog, Segment, Submission
from audits.intake.table_records.models import TableRecord, TableStatement
from audits.replay.findings.models import (
    CauseRoute,
    Finding,
    Issue,
    IssueClause,
    IssueNight,
    IssuePart,
    IssueVisibility,
)
from audits.replay.models import Replay, ReplayComparison, ReplaySegment
from audits.review.cases.models import (
    Case,
    CaseItem,
    CaseNote,
    CaseRemoval,
    CaseSeal,
    CaseTask,
    Complaint,
)
from audits.review.disclosures.models import Disclosure, DisclosurePaper
from audits.review.issues.models import AnswerPaper, Cover, Decision, Proposal, ReviewNote, Work
from audits.review.queue.models import SavedFilter
from audits.review.releases.models import StandingRelease
from audits.review.restitution.models import RestitutionPaper, RestitutionPayment
from audits.review.visits.models import (
    Look,
    Visit,
    VisitDifference,
    VisitEnd,
    VisitItem,
    VisitPlan,
)
from audits.watch.models import WatchedGame, WatchedSegment

__all__ = [
    "AnswerPaper",
    "Case",
    "CaseItem",
    "CaseNote",
    "CaseRemoval",
    "CaseSeal",
    "CaseTask",
    "CauseRoute",
    "Complaint",
    "Cover",
    "Decision",
    "Disclosure",
    "DisclosurePaper",
    "Finding",
    "GamblingDay",
    "Issue",
    "IssueClause",
    "IssueNight",
    "IssuePart",
    "IssueVisibility",
    "LogMapping",
    "Look",
    "NightlyWatch",
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
    "Submission",
    "TableRecord",
    "TableStatement",
    "Visit",
    "VisitDifference",
    "VisitEnd",
    "VisitItem",
    "VisitPlan",
    "WatchedGame",
    "WatchedSegment",
    "Work",
]
