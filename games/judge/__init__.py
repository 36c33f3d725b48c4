"""What the replay says of a round: findings, and the verdict that they make."""
