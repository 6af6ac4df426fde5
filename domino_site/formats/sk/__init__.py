"""Slovak dates with the month in the genitive."""
