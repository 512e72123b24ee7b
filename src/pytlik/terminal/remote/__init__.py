"""A table on a server, over its HTTP and its socket (docs/protocol.md)."""
