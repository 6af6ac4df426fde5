"""The pages of daily boards: those of today, results, the month. The rules of a day: services/board_days.py."""
