"""Coordinates of tiles on the table, one module a layout family; spots.py has the size of a two-sided tile."""
