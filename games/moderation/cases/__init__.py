"""Reports about people, the cases they make, and the queue of moderators."""
