"""A table and its seats, mostly as pure functions."""
