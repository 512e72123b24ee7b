"""Ubongo in the terminal: line by line, and on the whole screen."""
