"""The time that all workers share, and who looks after what is due."""
