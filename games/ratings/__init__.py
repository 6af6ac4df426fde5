"""Ratings, their changes; leaderboards (who is listed: disclosed_ratings.py); skill.py: arithmetic (Plackett-Luce)."""
