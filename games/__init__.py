"""The games. In its root: access.py, staff roles (permissions.py), choices such as reasons for a report (enums.py)."""
