"""The MCP server: one module a toolset, resources, prompts and the wire format."""
