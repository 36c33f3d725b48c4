"""Every event type as a page of `docs/reference/`."""

from compliance.events import EventType, event_types

HEAD = """# Events

Made from the registered event types by `manage.py write_references`; a test fails when it is
stale.

Every change of state, sign-in, export and report is one event: who (`actor`), what (`object`),
whose (`party`), why (`reason`), when, and the digests of the state before and after. What follows
is what each type adds. *Personal* entries stand apart from the event, which keeps their salted
digest, so that they can be removed one day without breaking a proof; the actor's name always is
one.
"""


def event_reference() -> str:
    """The page, in Markdown."""
    return "\n".join([HEAD, *(_entry(kind) for kind in event_types())])


def _entry(kind: EventType) -> str:
    lines = [f"## `{kind.name}`", "", f"> {kind.says}.", ""]
    if kind.needs_reason:
        lines += ["A reason is required.", ""]
    if kind.open_to_party:
        lines += ["The party concerned may read it.", ""]
    lines += [f"- `{name}`: {says}" for name, says in kind.carries.items()]
    lines += [f"- `{name}` (personal): {says}" for name, says in kind.personal.items()]
    return "\n".join([*lines, ""] if kind.carries or kind.personal else lines)
