"""Processes: starting and restarting workers, and which of them takes a connection."""
