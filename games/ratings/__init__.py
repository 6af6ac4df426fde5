"""Ratings of skill: one a person and game, what each rated match did to it, the leaderboard."""
