"""Notifications for people who are away on their turn."""
