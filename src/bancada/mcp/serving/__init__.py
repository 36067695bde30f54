"""Our tools, data and prompts for MCP clients; the official SDK is the transport."""
