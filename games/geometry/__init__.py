"""Sizes and coordinates of tiles on the table, one module per layout family; spots.py has the common types."""
