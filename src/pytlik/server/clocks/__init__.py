"""The time that all workers share, their heartbeats, and their leases of what is due."""
