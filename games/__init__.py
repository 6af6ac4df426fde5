"""The games. In its root: access, staff roles (permissions), choices such as reasons for a report (enums)."""
