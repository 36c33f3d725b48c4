"""The commission's queue: assignment of issues, and actions on many at once."""
