"""Coordinates of tiles: one module for each layout family."""
