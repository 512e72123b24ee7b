"""The messages between server and clients, which the server, the terminal and the page all use."""
