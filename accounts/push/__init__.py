"""Web push: which browsers want notifications, and sending them."""
