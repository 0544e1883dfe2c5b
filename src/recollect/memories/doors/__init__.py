"""Ways in for a user's own system, by a YAML file: a process, a server, an MCP server; and answers that are given."""
