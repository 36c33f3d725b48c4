"""Internal controls as structured content, and the checks that a submission must pass. Pure."""
