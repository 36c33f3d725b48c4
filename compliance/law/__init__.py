"""The law as dated values: what Washington's rules allowed on a given day, and the sources.

Each file contains the values of one subject. A value that was ever in effect is never edited: a new
one is added, here for everyone or in the application by the commission.
"""
