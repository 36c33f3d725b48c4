"""Cases with their evidence and recommended level."""
