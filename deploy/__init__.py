"""The deployment kit: nginx, systemd and the command ``dominoes``."""
