"""The arithmetic of process statistics: numbers in, numbers out.

One module a family. Nothing here reads a table, knows a language or draws: arrays of numpy come
in, and small values go out. It runs in the jail, never in the server.
"""
