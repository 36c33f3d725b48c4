"""Notifications: in the application, by email, by webhook and in a calendar."""
