"""What everything speaks of: messages, events, calls, people, access, errors.

Nothing here imports anything of ours, touches a database or waits for anything.
"""
