"""Bringing a database to the shape this version needs, whoever starts first."""
