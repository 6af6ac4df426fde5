"""Ratings of skill per person and game, their changes by rated matches, and the leaderboards."""
