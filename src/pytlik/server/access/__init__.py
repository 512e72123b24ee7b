"""Who may send requests, and how many."""
