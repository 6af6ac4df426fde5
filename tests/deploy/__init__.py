"""The deployment kit in ``deploy/``."""
