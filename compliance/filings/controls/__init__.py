"""Internal controls of operators: drafts, submitted versions, decisions and visits."""
