"""Italian dates without the weekday."""
