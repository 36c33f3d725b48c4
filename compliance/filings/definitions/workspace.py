"""What a draft comes to: its problems, worked examples, sample rounds and odds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from compliance.errors import RefusedError
from compliance.files.archive import current_archive, store_bytes
from compliance.filings.games.definitions import DefinitionRefusedError, check_definition
from compliance.filings.games.models import DefinitionOdds
from compliance.filings.games.odds_tables import odds_of_definition
from games.definition import DefinitionError, Problem, read_definition
from games.families.examples import check_examples
from games.families.samples import can_deal, sample_rounds

if TYPE_CHECKING:
    from compliance.filings.definitions.models import DefinitionDraft
    from compliance.filings.games.odds_tables import FiledOdds
    from games.definition import Definition
    from games.families.examples import ExampleResult
    from games.families.samples import SampleRound

SAMPLES: Final = 3


@dataclass(frozen=True)
class Checked:
    """What a draft comes to; `definition` is None while it has problems."""

    definition: Definition | None
    problems: tuple[Problem, ...]
    examples: tuple[ExampleResult, ...]

    @property
    def is_ready(self) -> bool:
        """Return whether the draft can be filed."""
        return self.definition is not None and all(each.ok for each in self.examples)


@lru_cache(maxsize=64)
def check_text(text: str) -> Checked:
    """Check the text of a definition: its form, and then its worked examples."""
    try:
        definition = read_definition(text)
    except DefinitionError as error:
        return Checked(None, error.problems, ())
    return Checked(definition, (), tuple(check_examples(definition)))


def samples_of(definition: Definition, seed: str) -> list[SampleRound]:
    """Return rounds dealt by a definition; none if its family can't deal at random."""
    return list(sample_rounds(definition, seed, SAMPLES)) if can_deal(definition) else []


def example_dealt(definition: Definition, seed: str, number: str) -> dict[str, Any] | None:
    """Return a worked example made of a sample round, by its number; None if there is none."""
    samples = {str(place): each for place, each in enumerate(samples_of(definition, seed), 1)}
    sample = samples.get(number)
    return {"round": sample.line} if sample else None


def odds_of_draft(definition: Definition) -> FiledOdds | None:
    """Return the odds of a draft as it is now; None if no one asked to count them."""
    if not DefinitionOdds.objects.filter(definition=definition.digest).exists():
        return None
    return odds_of_definition(definition)


def ask_for_odds(draft: DefinitionDraft) -> None:
    """Have the odds of a draft counted in the background. Rejects one with problems."""
    try:
        definition = check_definition(draft.game, draft.text)
    except DefinitionRefusedError as error:
        msg = "Fix the problems of the definition first. Odds are counted for a complete one."
        raise RefusedError(msg) from error
    stored = store_bytes(current_archive(), draft.text.encode())
    DefinitionOdds.objects.get_or_create(
        definition=definition.digest, defaults={"definition_file": stored.digest}
    )
