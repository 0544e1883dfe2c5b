"""Memories in a process of their own, in another environment, behind HTTP or behind an MCP server."""
