"""The JSON API, one module per subject."""
