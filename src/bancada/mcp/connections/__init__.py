"""Other people's MCP servers: how they are reached, what they offer, and how it becomes tools."""
