"""Answers that need no table: the page and its files, the health page, and errors."""
