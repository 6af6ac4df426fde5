"""Web push: subscriptions and delivery. The texts: games/services/push_notifications.py."""
