"""The reference engine: the rules of play of five games, executable.

It knows no Django, no database and no clock.
"""
