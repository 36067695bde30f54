"""Studies of a table's columns, made in the jail: read, compute, answer in plain JSON."""
