"""The state of the system: for monitoring, and for the people who operate it."""
