"""Uploaded files as queryable data sets: typed tables in read-only DuckDB files."""
