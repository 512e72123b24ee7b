"""Who may ask at all, and how often."""
