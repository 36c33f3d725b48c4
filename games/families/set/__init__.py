"""The family `set`: cards set into parts that play against a dealer or a banker."""
