"""What people report to the moderators: reports, the cases that they make, and the queue in which they wait."""
