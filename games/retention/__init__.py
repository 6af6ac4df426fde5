"""Retention: schedule.py says how long data is stored, ``manage.py clear_expired`` deletes it."""
