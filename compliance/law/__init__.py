"""The law as values with dates: what Washington's rules allowed on a given day, and how we know.

Each file holds the values of one subject. Nobody edits a value that has stood: a new one is added,
here for everybody or in the application by the commission.
"""
