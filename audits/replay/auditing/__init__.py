"""Audit of segments: rounds under the terms in effect, what is wrong with them, and why.

Plain data in, a findings file and counts out. No framework and no database: the same segment under
the same terms gives the same result anywhere.
"""
