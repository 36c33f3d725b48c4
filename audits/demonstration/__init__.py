"""The demonstration night: the rounds played, the faults planted in them, and the findings.

None of it is stored. The logs are simulated from a seed on request and are always the same.
"""
