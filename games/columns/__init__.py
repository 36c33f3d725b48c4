"""Fast judgement over columns.

A screen may only say *certainly as logged, nothing to find*; whatever it does not pass goes to the
judge. Findings are the same with the screen switched off.
"""
