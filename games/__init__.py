"""The games. In its root: who may see what (access), staff roles (permissions), choices of fields (enums)."""
