"""Web push: subscriptions of browsers, and delivery of notifications."""
