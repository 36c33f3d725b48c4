"""What was played: round logs, their replay through the engine, findings and their review."""
