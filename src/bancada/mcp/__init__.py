"""MCP, both ways: our tools for clients of others, and the servers of others as tools of ours."""
