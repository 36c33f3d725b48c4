"""The table of permissions as a page of `docs/reference/`."""

from compliance.choices import Role
from compliance.permissions import ROLES_OF_ACTION, SECOND_FACTOR_ROLES, Action

HEAD = """# Who may do what

Made from `compliance/permissions.py` by `manage.py write_references`; a test fails when it is
stale.

A role of a commission unit reaches every party but those in which its holder has a role as well:
nobody acts for the commission on their own party. Any other role reaches its own party alone, and
what is shown to that party. What a role may not reach looks like what is not there.
"""


def permission_reference() -> str:
    """The page, in Markdown."""
    names = "| role | second factor | " + " | ".join(action.label for action in Action) + " |"
    rule = "|---" * (len(Action) + 2) + "|"
    rows = [
        f"| {role.label} | {'always' if role in SECOND_FACTOR_ROLES else 'by choice'} | "
        + " | ".join("yes" if role in ROLES_OF_ACTION[action] else "" for action in Action)
        + " |"
        for role in Role
    ]
    return "\n".join([HEAD, names, rule, *rows, ""])
