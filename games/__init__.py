"""The reference engine: executable rules of play for five games.

It doesn't depend on Django, a database or a clock.
"""
