"""Coordinates of tiles on the table, one module a layout family; spots.py holds the size of a tile."""
