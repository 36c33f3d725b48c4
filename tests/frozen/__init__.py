"""What a change of structure must not change: findings, money, pages, events, reports."""
