"""The terms of a table: options, clock (match/time_control.py), visibility, stakes; the presets of the lobby."""
