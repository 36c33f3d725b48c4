"""What these tables did, beside what chance would do: streams of evidence, and their alarms."""
