"""What is told: signed reports, letters and schedules."""
