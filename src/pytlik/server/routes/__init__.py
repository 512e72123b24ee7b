"""The JSON API, one module a subject."""
