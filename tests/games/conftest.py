"""Turns off Hypothesis deadlines: the first example of a compiled kernel compiles it."""

from hypothesis import settings

settings.register_profile("games", deadline=None)
settings.load_profile("games")
