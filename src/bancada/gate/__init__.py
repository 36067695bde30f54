"""The one door: every tool call, whoever makes it, passes here and leaves its trace."""
