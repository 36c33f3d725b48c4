"""Which games the commission has approved: that is public, whoever's they are."""

from __future__ import annotations

from dataclasses import dataclass

from compliance.models import Approval, DocumentVersion, RuleVersion
from compliance.walls import without_walls
from games.rule_set import SLUGS, rule_set


@dataclass(frozen=True)
class FiledPaper:
    """A paper of a rule version; its name is told to whoever sees the version, its text not."""

    paper: DocumentVersion
    binding: bool
    seen: bool


def papers_of(version: RuleVersion) -> list[FiledPaper]:
    """The papers that a rule version rests on, and which of them whoever asks may open."""
    rows = list(version.documents.select_related("document_version__document"))
    seen = set(
        DocumentVersion.objects.filter(
            pk__in=[each.document_version_id for each in rows]
        ).values_list("pk", flat=True)
    )
    return [
        FiledPaper(each.document_version, each.binding, each.document_version_id in seen)
        for each in rows
    ]


def approved_rule_versions() -> list[RuleVersion]:
    """Rule versions that the commission has approved, by the game's name; the newest first."""
    with without_walls():
        approved = Approval.objects.filter(kind=Approval.Kind.COMMISSION).values("subject")
        found = RuleVersion.objects.filter(uuid__in=approved).select_related("game")
        return list(found.order_by("game__name", "-number"))


def names_of_games() -> dict[str, str]:
    """Games by their short names: those that the engine knows, and those that are approved."""
    names = {slug: rule_set(slug).name for slug in SLUGS}
    names |= {version.game.slug: version.game.name for version in approved_rule_versions()}
    return dict(sorted(names.items(), key=lambda each: each[1]))
