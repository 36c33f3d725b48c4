"""Round logs, their replay through the engine, and the review of findings."""
