"""The server's end of a connection: HTTP and WebSocket frames, limited and counted."""
