"""The demonstration night: what was played, what went wrong, and what is found of it.

Nothing of it is stored: the logs are dealt from a seed when they are asked for, always the same.
"""
