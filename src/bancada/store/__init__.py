"""The database: tables, migrations, one small module of queries per noun.

A query is a plain function whose first argument is a `Connection`. `await database.run(fn, …)`
runs it as one transaction; nobody outside this room writes SQL.
"""
