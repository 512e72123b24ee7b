"""A running match: its log, its state, its deadlines, and the bots that play in it."""
