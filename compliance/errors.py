"""Errors that services raise when they reject a request."""


class RefusedError(Exception):
    """A message for the user: what was rejected, why, and what to do instead."""


class NotAllowedError(RefusedError):
    """The user's roles do not allow the action."""
