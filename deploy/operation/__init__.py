"""The command ``dominoes`` for operators: updates, backups and checks. Standard library only."""
