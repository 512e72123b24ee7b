"""The puzzles of the day and their leaderboards."""
