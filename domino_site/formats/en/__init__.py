"""English dates with the day first and 24 hours, as British readers write them."""
