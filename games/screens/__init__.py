"""Fast settlement over columns: which rounds are certain to be as logged.

A screen per game keeps *certain* only the rounds in which nothing is wrong. Every other round is
settled one by one (`games.settlement`), after the rounds before it at its table.
"""
