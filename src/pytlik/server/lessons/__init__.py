"""Lessons: scenes of a game, played by the rules themselves."""
