"""Who is here: pages open at a match, the lobby or a review; leases.py knows which seats are away or back."""
