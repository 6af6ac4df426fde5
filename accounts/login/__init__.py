"""Ways in: guests, passwords, second factors, limits on wrong attempts, suspended guests who return."""
