"""Tools defined by rows (HTTP, SQL, Python, composed), and the one egress client."""
