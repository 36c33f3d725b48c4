"""A told round as text, for a terminal or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cents import in_dollars
from games.page import paragraph
from games.story.findings import finding_in_words, heading
from games.story.words import result_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from games.story.story import Account, Section, Sentence, Story

STEP = 2


def story_page(story: Story, width: int) -> list[str]:
    """The lines of a round's page."""
    lines = [story.title]
    lines += _sentences(story.about, width, 0)
    for section in story.sections:
        lines += ["", section.title, *_section(section, width)]
    lines += ["", *_findings(story, width)]
    if story.cited:
        lines += ["", "WHAT IT RESTS ON"]
        for id_, text in story.cited.items():
            lines += paragraph(text, width, first=id_, indent=9)
    return lines


def _section(section: Section, width: int) -> Iterator[str]:
    yield from _sentences(section.sentences, width, STEP)
    for account in section.accounts:
        yield from _account(account, width)


def _account(account: Account, width: int) -> Iterator[str]:
    wagered = "" if account.wagered is None else f", {in_dollars(account.wagered)} wagered"
    yield from paragraph(f"{account.key}{wagered}", width, indent=STEP)
    yield from _sentences(account.sentences, width, 2 * STEP)
    yield from paragraph(_amounts(account), width, indent=2 * STEP)


def _amounts(account: Account) -> str:
    logged = "none logged" if account.logged is None else result_in_words(account.logged)
    if account.expected is None:
        return f"Logged {logged}; the rules cannot tell what to expect."
    expected = result_in_words(account.expected)
    if account.by_sum:
        return f"Logged {logged}, expected {expected}: judged by the sum alone."
    if account.logged is None or account.logged == account.expected:
        return f"Logged {logged}, expected {expected}."
    delta = account.logged - account.expected
    much = "too much" if delta > 0 else "too little"
    return f"Logged {logged}, expected {expected}: {in_dollars(abs(delta))} {much}."


def _findings(story: Story, width: int) -> Iterator[str]:
    if not story.findings:
        yield f"Status {story.status}: nothing to find."
        return
    yield f"FINDINGS, status {story.status}"
    for finding in story.findings:
        yield from paragraph(heading(finding), width, indent=STEP)
        yield from paragraph(
            finding_in_words(finding) + _ids(finding.cites), width, indent=2 * STEP
        )


def _sentences(sentences: Iterable[Sentence], width: int, indent: int) -> Iterator[str]:
    for sentence in sentences:
        yield from paragraph(sentence.says + _ids(sentence.cites), width, indent=indent)


def _ids(cites: tuple[str, ...]) -> str:
    return f" [{', '.join(cites)}]" if cites else ""
