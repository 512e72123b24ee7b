"""Bots against each other, in process: leagues, and what they say about strength."""
