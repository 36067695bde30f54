"""Scripted conversations with expectations: what `bancada eval` plays, judges and reports."""
