"""The project: settings, URLs, ASGI, middleware, error pages, logs, metrics, the health check, the admin site."""
