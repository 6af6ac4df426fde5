"""Formats of dates where Django has others than readers expect, by language."""
