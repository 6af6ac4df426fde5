"""The terms of a table: options, clock, visibility, delay, stakes; the presets of the lobby."""
