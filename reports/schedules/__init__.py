"""When reports are made, and to whom they go: orders, deliveries, subscriptions."""
