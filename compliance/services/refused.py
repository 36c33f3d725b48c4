"""What a service answers when it will not do what was asked."""


class RefusedError(Exception):
    """A sentence for whoever asked: what was refused, why, and what can be done instead."""


class NotAllowedError(RefusedError):
    """The roles of whoever asked do not allow it."""
