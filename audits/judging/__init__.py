"""Judging segments: rounds under the terms that bound them, what is wrong with them, and why.

Plain data in, a findings file and counts out. No framework and no database: the same segment under
the same terms is judged the same anywhere.
"""
