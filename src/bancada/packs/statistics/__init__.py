"""Pack `statistics`: control charts, capability, Pareto and gage studies of any table's column.

The tools (`pack`) say what is asked; the work is done in the jail (`guest`), where the arithmetic
is, next to the data. This file imports nothing, so that the jail loads no more than it needs.
"""
