"""The door for browsers and programs: FastAPI, accounts, routes, streams."""
