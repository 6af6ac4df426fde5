"""Coordinates and sizes of tiles on the table, one module a layout family."""
