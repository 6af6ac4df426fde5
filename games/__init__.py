"""The games. Its root holds what Django looks for, who may see what (access), and staff roles (permissions)."""
