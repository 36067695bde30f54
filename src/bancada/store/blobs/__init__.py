"""Files that never change, each named by its hash: where they are, and a copy at hand.

`place` is the seam and the names; `folder`, `postgres` and `s3` are where bytes can be; `cache`
keeps copies of what is elsewhere; `rows` are the queries; `keeping` is what the rooms use.
"""
