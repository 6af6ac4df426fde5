"""Ratings of skill, their changes by rated matches, leaderboards; skill.py has the arithmetic (Plackett-Luce)."""
